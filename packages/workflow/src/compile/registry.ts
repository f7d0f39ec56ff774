import type { Tool, ToolSource } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Workflow } from '../definition/workflow.ts'
import { refuse } from '../template/site.ts'

/** The agents, tools and workflows that steps may name. */
export interface Registry {
  /** Agents, or names of agents of the runtime. @default none */
  readonly agents?: readonly (Agent | string)[] | undefined
  /** Tools, tool sources, or names of tools of the runtime. The tools of a source are known only when a run starts. @default none */
  readonly tools?: readonly (Tool | ToolSource | string)[] | undefined
  /** Workflows. They use the same agents and tools. @default none */
  readonly workflows?: readonly Workflow[] | undefined
}

/** Checks that names are unique. @throws ParleyError `config-invalid` if two agents, tools or workflows have the same name. */
export function checkRegistry({ agents = [], tools = [], workflows = [] }: Registry): void {
  for (const [kind, named] of Object.entries({ agents, tools, workflows })) {
    const names = named.map(nameOf)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) refuse(kind, `must have unique names; '${twice}' is repeated`)
  }
}

/** Finds an agent. @throws ParleyError `config-invalid` with the known names. */
export function findAgent({ agents = [] }: Registry, name: string, path: string): Agent | string {
  const found = agents.find(agent => nameOf(agent) === name)
  return found ?? refuse(path, `the agent '${name}' is unknown; ${listing(agents.map(nameOf))}`)
}

/** Checks that a tool exists. @throws ParleyError `config-invalid` if it is unknown, unless a tool source may have it. */
export function checkTool({ tools = [] }: Registry, name: string, path: string): void {
  const known = tools.flatMap(tool => (typeof tool === 'object' && 'tools' in tool ? [] : [nameOf(tool)]))
  if (known.includes(name) || known.length < tools.length) return
  refuse(path, `the tool '${name}' is unknown; ${listing(known)}`)
}

/** Finds a workflow. @throws ParleyError `config-invalid` with the known names. */
export function findWorkflow({ workflows = [] }: Registry, name: string, path: string): Workflow {
  const found = workflows.find(workflow => workflow.name === name)
  return found ?? refuse(path, `the workflow '${name}' is unknown; ${listing(workflows.map(nameOf))}`)
}

function nameOf(named: { readonly name: string } | string): string {
  return typeof named === 'string' ? named : named.name
}

function listing(names: readonly string[]): string {
  return `known: ${names.length === 0 ? 'none' : names.join(', ')}`
}

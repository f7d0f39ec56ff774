import type { Tool, ToolSource } from '@parley/core'
import type { Agent } from '@parley/engine'
import type { Workflow } from '../definition/workflow.ts'
import { refuse } from '../template/site.ts'

/** What a definition may name. */
export interface Registry {
  /** Given whole, or by the name the runtime knows. @default none */
  readonly agents?: readonly (Agent | string)[] | undefined
  /** Given whole, or by the name the runtime knows. The names of a source's tools are not known before a run. @default none */
  readonly tools?: readonly (Tool | ToolSource | string)[] | undefined
  /** Workflows that steps may name. They use the same agents and tools. @default none */
  readonly workflows?: readonly Workflow[] | undefined
}

/** @throws ParleyError `config-invalid` for two of one kind and name. */
export function checkRegistry({ agents = [], tools = [], workflows = [] }: Registry): void {
  for (const [kind, named] of Object.entries({ agents, tools, workflows })) {
    const names = named.map(nameOf)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice !== undefined) refuse(kind, `two of them are named '${twice}'`)
  }
}

/** @throws ParleyError `config-invalid` naming those there are. */
export function findAgent({ agents = [] }: Registry, name: string, path: string): Agent | string {
  const found = agents.find(agent => nameOf(agent) === name)
  return found ?? refuse(path, `there is no agent '${name}'; ${listing(agents.map(nameOf))}`)
}

/** @throws ParleyError `config-invalid`, unless a source may have it. */
export function checkTool({ tools = [] }: Registry, name: string, path: string): void {
  const known = tools.flatMap(tool => (typeof tool === 'object' && 'tools' in tool ? [] : [nameOf(tool)]))
  if (known.includes(name) || known.length < tools.length) return
  refuse(path, `there is no tool '${name}'; ${listing(known)}`)
}

/** @throws ParleyError `config-invalid` naming those there are. */
export function findWorkflow({ workflows = [] }: Registry, name: string, path: string): Workflow {
  const found = workflows.find(workflow => workflow.name === name)
  return found ?? refuse(path, `there is no workflow '${name}'; ${listing(workflows.map(nameOf))}`)
}

function nameOf(named: { readonly name: string } | string): string {
  return typeof named === 'string' ? named : named.name
}

function listing(names: readonly string[]): string {
  return names.length === 0 ? 'none was given' : `given were ${names.join(', ')}`
}

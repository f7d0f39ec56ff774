import { ParleyError, type Store, type Tool, type ToolSource } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { defineWorkflow, parseWorkflow, readWorkflows, type Workflow } from '@parley/workflow'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { parseAgentFile } from '../flags/option-values.ts'
import { chooseModel } from './choose-model.ts'
import { readTextFile } from './read-text-file.ts'

export interface WorkflowAgentRequest {
  /** Path of a JSON file, or the name of a saved workflow. */
  readonly workflow: string
  /** Store with the saved workflows. */
  readonly store: Store
  readonly tools: readonly (Tool | ToolSource)[]
}

export interface OpenWorkflowAgent {
  readonly agent: Agent
  /** Agents that the steps may name. The agents of .prompty files must be closed. */
  readonly agents: readonly (Agent & Partial<AsyncDisposable>)[]
}

/**
 * Opens a workflow as an agent. Its steps may name the agent `assistant` that the flags describe, the agents of
 * `--agent`, and every saved workflow.
 * @throws ParleyError `file-unreadable`, and `config-invalid` with the path of the invalid part.
 */
export async function openWorkflowAgent(
  flags: AgentFlags,
  { workflow, store, tools }: WorkflowAgentRequest,
): Promise<OpenWorkflowAgent> {
  const definition =
    flags.definition === undefined ? await findWorkflow(workflow, store) : parseWorkflow(flags.definition)
  const saved = await readWorkflows(store, { versions: flags.versions })
  const workflows = saved.filter(({ name }) => name !== definition.name).map(each => parseWorkflow(each.definition))
  const { instructions, maxTurns } = flags
  const model = await chooseModel(flags)
  const assistant = defineAgent({ name: 'assistant', model, instructions, tools, limits: { maxTurns } })
  const agents = await openAgents(flags, tools)
  return {
    agent: defineWorkflow(definition, { agents: [assistant, ...agents], tools, workflows }),
    agents: [assistant, ...agents],
  }
}

/** Reads a workflow from a file whose name ends in `.json`, or finds a saved one by name. */
export async function findWorkflow(workflow: string, store: Store): Promise<Workflow> {
  if (workflow.endsWith('.json')) return readWorkflowFile(workflow)
  const saved = await readWorkflows(store)
  const found = saved.find(({ name }) => name === workflow)
  if (found !== undefined) return parseWorkflow(found.definition)
  const known = saved.length === 0 ? 'none' : saved.map(({ name }) => name).join(', ')
  const detail = `'${workflow}' is unknown; saved workflows: ${known}. The name of a file must end in .json`
  throw new ParleyError({ code: 'config-invalid', path: 'workflow', detail })
}

/**
 * Reads a workflow from a JSON file.
 * @throws ParleyError `file-unreadable` if the file is missing or invalid JSON, `config-invalid` if the workflow is invalid.
 */
export async function readWorkflowFile(path: string): Promise<Workflow> {
  const text = await readTextFile(path)
  try {
    return parseWorkflow(JSON.parse(text))
  } catch (cause) {
    if (ParleyError.is(cause)) throw cause
    throw new ParleyError({ code: 'file-unreadable', path, detail: String(cause) }, { cause })
  }
}

async function openAgents(
  { agents = [], ...flags }: AgentFlags,
  tools: readonly (Tool | ToolSource)[],
): Promise<readonly (Agent & AsyncDisposable)[]> {
  if (agents.length === 0) return []
  const { openPromptyAgent } = await import('./open-prompty-agent.ts')
  return Promise.all(
    agents.map(pair => {
      const [name, file] = parseAgentFile(pair)
      return openPromptyAgent({ ...flags, input: undefined }, { name, file, tools })
    }),
  )
}

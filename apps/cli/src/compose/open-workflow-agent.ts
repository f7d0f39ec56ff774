import { readFile } from 'node:fs/promises'
import { ParleyError, type Store, type Tool, type ToolSource } from '@parley/core'
import { defineAgent, type Agent } from '@parley/engine'
import { defineWorkflow, parseWorkflow, readWorkflows, type Workflow } from '@parley/workflow'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { chooseModel } from './choose-model.ts'

export interface WorkflowAgentRequest {
  /** A file, or the name of a workflow that was saved. */
  readonly workflow: string
  /** Where workflows are saved. */
  readonly store: Store
  readonly tools: readonly (Tool | ToolSource)[]
}

export interface OpenWorkflowAgent {
  readonly agent: Agent
  /** Agents its steps may name, without their workflows; some have something to close. */
  readonly agents: readonly (Agent & Partial<AsyncDisposable>)[]
}

/**
 * The agent a workflow is. Its steps may name `assistant`, which the flags describe, the agents of `--agent`, and every
 * workflow that was saved.
 * @throws ParleyError `file-unreadable`, and `config-invalid` with the path of what makes no sense.
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

/** The definition in a file, whose name ends in `.json`, or the saved one of that name. */
export async function findWorkflow(workflow: string, store: Store): Promise<Workflow> {
  if (workflow.endsWith('.json')) return readWorkflowFile(workflow)
  const saved = await readWorkflows(store)
  const found = saved.find(({ name }) => name === workflow)
  if (found !== undefined) return parseWorkflow(found.definition)
  const known = saved.length === 0 ? 'none was saved' : `saved were ${saved.map(({ name }) => name).join(', ')}`
  const detail = `there is no workflow '${workflow}'; ${known}. A file's name ends in .json`
  throw new ParleyError({ code: 'config-invalid', path: 'workflow', detail })
}

/** @throws ParleyError `file-unreadable`, and `config-invalid` for what is no workflow. */
export async function readWorkflowFile(path: string): Promise<Workflow> {
  try {
    return parseWorkflow(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    if (ParleyError.is(cause)) throw cause
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const detail = missing ? 'there is no such file' : String(cause)
    throw new ParleyError({ code: 'file-unreadable', path, detail }, { cause })
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
      const [name = '', file = ''] = splitOnce(pair)
      if (name === '' || file === '')
        throw new ParleyError({ code: 'config-invalid', path: '--agent', detail: `'${pair}' is no name=file.prompty` })
      return openPromptyAgent({ ...flags, input: undefined }, { name, file, tools })
    }),
  )
}

function splitOnce(pair: string): readonly string[] {
  const at = pair.indexOf('=')
  return at < 0 ? [] : [pair.slice(0, at), pair.slice(at + 1)]
}

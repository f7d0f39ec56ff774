import type { Store } from '@parley/core'
import {
  createRuntime,
  defineAgent,
  type Agent,
  type CloseOptions,
  type Runtime,
  type RuntimeOptions,
} from '@parley/engine'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { chooseModel } from './choose-model.ts'
import { createOpening, type Opening } from './resource-stack.ts'
import type { OpenAgents } from './open-agents.ts'
import { openStore } from '../store/open-store.ts'
import { openTools } from './open-tools.ts'
import { withCloseOptions } from './with-close-options.ts'
import { isWorkerGone, thisWorker } from './worker.ts'

/**
 * What the command line runs: one agent named `assistant`, with everything the flags ask for, a workflow that may name it, or
 * the agents of a configuration file.
 */
export interface Composition extends AsyncDisposable, Pick<OpenAgents, 'agent' | 'agents' | 'tools'> {
  readonly runtime: Runtime
  readonly store: Store
  /** Of `agent`, as `provider/id`. */
  readonly model: string
  /** How `runtime` closes where nobody says otherwise. */
  readonly closeOptions: CloseOptions
}

const AGENT = 'assistant'

/** @throws ParleyError for a flag, a file, a server or a database that cannot be used. */
export async function openComposition(flags: AgentFlags, database: string): Promise<Composition> {
  await using opening = createOpening()
  const store = opening.use(await openStore(database))
  const { agent, agents, tools, runtimeOptions, closeOptions = {} } = await openAgents(flags, opening, store)
  const options: RuntimeOptions = { ...runtimeOptions, store, worker: thisWorker, isWorkerGone, agents }
  const runtime = opening.use(withCloseOptions(createRuntime(options), closeOptions))
  const close = opening.release()
  return {
    runtime,
    store,
    agent,
    agents,
    tools,
    model: nameOf(agent.model),
    closeOptions,
    [Symbol.asyncDispose]: close,
  }
}

async function openAgents(flags: AgentFlags, opening: Opening, store: Store): Promise<OpenAgents> {
  if (flags.config !== undefined) {
    const { openConfigAgents } = await import('./open-config-agents.ts')
    return openConfigAgents({ ...flags, config: flags.config }, await openTools(flags, opening))
  }
  const found = await openAgent(flags, opening, store)
  const [agent] = found
  const tools = (agent.tools ?? []).filter(tool => typeof tool !== 'string')
  return { agent, agents: found, tools }
}

/** First who is asked, then who may go on in its place when a person says so. */
async function openAgent(flags: AgentFlags, opening: Opening, store: Store): Promise<readonly [Agent, ...Agent[]]> {
  const { maxTurns, instructions, prompty, workflow } = flags
  const tools = await openTools(flags, opening)
  if (workflow !== undefined) {
    const { openWorkflowAgent } = await import('./open-workflow-agent.ts')
    const { agent, agents } = await openWorkflowAgent(flags, { workflow, store, tools })
    for (const each of agents) if (Symbol.asyncDispose in each) opening.use(each as Agent & AsyncDisposable)
    return [agent, ...agents.filter(({ name }) => name !== agent.name)]
  }
  if (prompty !== undefined) {
    const { openPromptyAgent } = await import('./open-prompty-agent.ts')
    return [opening.use(await openPromptyAgent(flags, { name: AGENT, file: prompty, tools }))]
  }
  const model = await chooseModel(flags)
  return [defineAgent({ name: AGENT, model, instructions, tools, limits: { maxTurns } })]
}

function nameOf(model: Agent['model']): string {
  return typeof model === 'object' ? `${model.provider}/${model.id}` : (model ?? '')
}

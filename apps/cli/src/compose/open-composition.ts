import { resolve } from 'node:path'
import type { Store } from '@parley/core'
import type { Otlp } from '@parley/otel/otlp'
import {
  createRuntime,
  defineAgent,
  type Agent,
  type CloseOptions,
  type Runtime,
  type RuntimeOptions,
} from '@parley/engine'
import type { AgentFlags } from '../flags/agent-flags.ts'
import { openStore } from '../store/open-store.ts'
import { chooseModel } from './choose-model.ts'
import type { ComposedAgents } from './open-config-agents.ts'
import { checkRoot, openTools, type OpenedTools } from './open-tools.ts'
import { openTracing } from './open-tracing.ts'
import { createResourceStack, type ResourceStack } from './resource-stack.ts'
import { withCloseOptions } from './with-close-options.ts'
import { isWorkerGone, thisWorker } from './worker.ts'

/**
 * A runtime with its store and agents. The agents come from a configuration file. Without one, the flags describe one agent
 * named `assistant`, and possibly a workflow that may use it.
 */
export interface Composition extends AsyncDisposable, Pick<ComposedAgents, 'agent' | 'agents' | 'tools'> {
  readonly runtime: Runtime
  readonly store: Store
  /** The model of `agent`, as `provider/id`. */
  readonly model: string
  /** Options with which `runtime` closes by default. */
  readonly closeOptions: CloseOptions
}

const AGENT = 'assistant'

/**
 * Opens the store and the agents, and creates the runtime.
 * @throws ParleyError if a flag, a file, a server or the database is invalid.
 */
export async function openComposition(flags: AgentFlags, database: string): Promise<Composition> {
  // Checked before the store, so that a mistyped call leaves no database behind.
  checkRoot(flags.root)
  await using resources = createResourceStack()
  const store = resources.use(await openStore(database))
  const opened = await openTools(flags, resources)
  const composed = await openAgents(flags, resources, { store, tools: opened.tools })
  const { agent, agents, tools, runtimeOptions, closeOptions = {}, start, isTraced = false } = composed
  const tracing = isTraced ? undefined : await openTracing()
  const options: RuntimeOptions = {
    ...withTracing(runtimeOptions, tracing),
    resources: [...(runtimeOptions?.resources ?? []), tracing, opened.servers].filter(each => each !== undefined),
    store,
    worker: thisWorker,
    isWorkerGone,
    agents,
    // The commands show each failure themselves; a second report would be in the middle of an answer.
    onUnreadFailure: () => {},
  }
  const runtime = resources.use(withCloseOptions(createRuntime(options), closeOptions))
  await start?.()
  const close = resources.release()
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

/** Adds the tracing middleware before all other middleware, so that traces include the time of the others. */
function withTracing(options: RuntimeOptions = {}, tracing: Otlp | undefined): RuntimeOptions {
  if (tracing === undefined) return options
  const { defaults } = options
  return { ...options, defaults: { ...defaults, middleware: [tracing.middleware, ...(defaults?.middleware ?? [])] } }
}

interface AgentSurroundings {
  readonly store: Store
  readonly tools: OpenedTools['tools']
}

async function openAgents(
  flags: AgentFlags,
  resources: ResourceStack,
  surroundings: AgentSurroundings,
): Promise<ComposedAgents> {
  if (flags.config !== undefined) {
    const { openConfigAgents } = await import('./open-config-agents.ts')
    return openConfigAgents({ ...flags, config: flags.config }, surroundings)
  }
  const agents = await openFlagAgents(flags, resources, surroundings)
  const [agent] = agents
  const tools = (agent.tools ?? []).filter(tool => typeof tool !== 'string')
  return { agent, agents, tools }
}

/** Opens the agent to run, followed by the agents that an approver may escalate to. */
async function openFlagAgents(
  flags: AgentFlags,
  resources: ResourceStack,
  { store, tools }: AgentSurroundings,
): Promise<readonly [Agent, ...Agent[]]> {
  const { maxTurns, instructions, prompty, workflow, module } = flags
  if (module !== undefined) {
    const { loadAgents } = await import('@parley/evals/crash-test')
    return [...(await loadAgents(resolve(module)))] as [Agent, ...Agent[]]
  }
  if (workflow !== undefined) {
    const { openWorkflowAgent } = await import('./open-workflow-agent.ts')
    const { agent, agents } = await openWorkflowAgent(flags, { workflow, store, tools })
    for (const each of agents) if (Symbol.asyncDispose in each) resources.use(each as Agent & AsyncDisposable)
    return [agent, ...agents.filter(({ name }) => name !== agent.name)]
  }
  if (prompty !== undefined) {
    const { openPromptyAgent } = await import('./open-prompty-agent.ts')
    return [resources.use(await openPromptyAgent(flags, { name: AGENT, file: prompty, tools }))]
  }
  const model = await chooseModel(flags)
  return [defineAgent({ name: AGENT, model, instructions, tools, limits: { maxTurns } })]
}

function nameOf(model: Agent['model']): string {
  return typeof model === 'object' ? `${model.provider}/${model.id}` : (model ?? '')
}

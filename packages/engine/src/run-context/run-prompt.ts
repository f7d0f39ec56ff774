import type { SystemPart } from '@parley/core'
import { builtInValues } from '../agent/instructions/built-in-values.ts'
import { systemParts } from '../agent/instructions/effective-system-prompt.ts'
import type { TemplateValues } from '../agent/instructions/render-pieces.ts'
import type { RunState } from '../journal/run-state.ts'
import type { PreparedAgent } from '../agent/prepare-agent.ts'
import { countedContext } from '../agent/context/agent-context.ts'
import { RunView, type ViewOwner } from './view/run-view.ts'
import type { RunTools } from './run-tools.ts'
import type { RequestCapture } from './request-capture.ts'

interface PromptOwner extends ViewOwner {
  readonly agent: PreparedAgent
  readonly tools: ViewOwner['tools'] & Pick<RunTools, 'byName'>
  readonly runtime: { readonly worker: string }
}

/**
 * What is sent to the model of a run. Computed when it is first needed, and again after the agent or its tools change.
 */
export class RunPrompt {
  /** Whether requests to the model are captured. */
  readonly captures: RequestCapture
  /**
   * Tokens of the last model call, and the number of transcript messages that it sent. Set only if a quota limits
   * tokens.
   */
  lastCall: { readonly tokens: number; readonly messages: number } | undefined
  readonly #run: PromptOwner
  #callIds: Set<string> | undefined
  #system: readonly SystemPart[] | undefined
  #view: RunView | undefined

  constructor(run: PromptOwner, captures: RequestCapture) {
    this.#run = run
    this.captures = captures
  }

  /**
   * The agent's instructions with this run's variables, the instructions for its output, and the run's own
   * instructions.
   */
  get system(): readonly SystemPart[] {
    this.#system ??= renderSystem(this.#run)
    return this.#system
  }

  /** Messages that the next model call would send. `undefined` if the agent has no context policy. */
  get view(): RunView | undefined {
    const { context } = this.#run.agent
    if (context === undefined) return undefined
    this.#view ??= new RunView(this.#run, context)
    return this.#view
  }

  /** As `view`, also for an agent without a context policy: tools may edit the context of every agent. */
  get editableView(): RunView {
    return this.view ?? (this.#view ??= new RunView(this.#run, countedContext(this.#run.agent.definition)))
  }

  /** Ids of the transcript's tool calls. Needed because a provider may repeat an id, which the engine then replaces. */
  get callIds(): Set<string> {
    this.#callIds ??= usedCallIds(this.#run.state)
    return this.#callIds
  }

  /** Discards the cached values that depend on the tools. */
  onToolsChanged(): void {
    this.#system = undefined
  }

  /** Discards the cached values that depend on the agent. */
  onAgentChanged(): void {
    this.#system = undefined
    this.#view = undefined
  }
}

function renderSystem(run: PromptOwner): readonly SystemPart[] {
  return systemParts(run.agent, () => templateValues(run), run.state.instructions)
}

function templateValues({ state, agent, tools, runtime }: PromptOwner): TemplateValues {
  const { startedAt, variables = {}, evaluated = '' } = state
  const availableTools = [...tools.byName.keys()]
  const context = { startedAt, variables, agentId: agent.definition.name, runtimeId: runtime.worker, availableTools }
  return { variables, evaluated, builtIn: builtInValues(context) }
}

function usedCallIds(state: RunState): Set<string> {
  const ids = new Set<string>()
  for (const message of state.transcript.toArray()) {
    if (message.role === 'tool') ids.add(message.callId)
  }
  for (const { call } of state.calls ?? []) ids.add(call.callId)
  return ids
}

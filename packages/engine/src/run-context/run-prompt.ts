import type { SystemPart } from '@parley/core'
import type { TemplateValues } from '../agent/instructions/render-template.ts'
import type { RunState } from '../journal/run-state.ts'
import { countedContext } from '../agent/context/agent-context.ts'
import { RunView, type ViewOwner } from './view/run-view.ts'
import type { RequestCapture } from './request-capture.ts'

interface PromptOwner extends ViewOwner {
  readonly runtime: { readonly worker: string }
}

/** What the model of a run is sent. Worked out when it is first needed, and again after the agent or its tools change. */
export class RunPrompt {
  /** What happens to the requests that the model is sent. */
  readonly captures: RequestCapture
  /** Tokens of the last model call and the length of the transcript it sent. Only under a quota of tokens. */
  lastCall: { readonly tokens: number; readonly messages: number } | undefined
  readonly #run: PromptOwner
  #callIds: Set<string> | undefined
  #system: readonly SystemPart[] | undefined
  #view: RunView | undefined

  constructor(run: PromptOwner, captures: RequestCapture) {
    this.#run = run
    this.captures = captures
  }

  /** Instructions of the agent with this run's variables, how to answer, and the run's own instructions. */
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

  /** Ids of the transcript's tool calls. A provider may repeat an id; the repeated one is replaced. */
  get callIds(): Set<string> {
    this.#callIds ??= usedCallIds(this.#run.state)
    return this.#callIds
  }

  /** Forgets what depends on the tools. */
  onToolsChanged(): void {
    this.#system = undefined
  }

  /** Forgets what depends on the agent. */
  onAgentChanged(): void {
    this.#system = undefined
    this.#view = undefined
  }
}

function renderSystem(run: PromptOwner): readonly SystemPart[] {
  const { instructions, output } = run.agent
  const parts = instructions.fixed ?? instructions.render(templateValues(run))
  const { instructions: own } = run.state
  const shared = output?.instruction === undefined ? parts : [...parts, output.instruction]
  // The run's own instructions come last: providers cache the prefix that all runs share.
  return own === undefined ? shared : [...shared, { text: own, volatile: true }]
}

function templateValues({ state, agent, tools, runtime }: PromptOwner): TemplateValues {
  const { startedAt, variables = {} } = state
  return {
    variables,
    builtIn: {
      current_time: `${new Date(startedAt).toISOString().slice(0, 19)}Z`,
      agent_id: agent.definition.name,
      runtime_id: runtime.worker,
      available_tools: JSON.stringify([...tools.byName.keys()]),
      user_variables: JSON.stringify(variables),
    },
  }
}

function usedCallIds(state: RunState): Set<string> {
  const ids = new Set<string>()
  for (const message of state.transcript.toArray()) {
    if (message.role === 'tool') ids.add(message.callId)
  }
  for (const { call } of state.calls ?? []) ids.add(call.callId)
  return ids
}

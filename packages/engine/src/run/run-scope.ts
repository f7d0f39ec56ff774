import {
  compose,
  toErrorInfo,
  type Clock,
  type EphemeralEvent,
  type Message,
  type ModelCall,
  type ModelEvent,
  type RunEvent,
  type RunFacts,
  type ToolCall,
  type ToolOutcome,
} from '@parley/core'
import type { PreparedAgent } from '../runtime/prepare-agent.ts'
import { RunFeed, type RunListener, type RunSink } from './run-feed.ts'
import { RunJournal, type JournalStore } from '../journal/run-journal.ts'
import { initialState, type RunState } from '../journal/run-state.ts'
import { Stopper } from './stopper.ts'
import type { ToolSet } from '../tools/tool-set.ts'

/** Calls with an agent's middleware around them. */
type Onion<TCall, TResult> = (innermost: (call: TCall) => TResult) => (call: TCall) => TResult

export interface RunScopeOptions {
  readonly facts: RunFacts
  readonly prepared: PreparedAgent
  readonly clock: Clock
  readonly state: RunState
  readonly target?: JournalStore | undefined
  /** Where the runtime sees the run's events. @default nowhere */
  readonly sink?: RunSink | undefined
}

/** Everything the driver and its steps share about one run. */
export class RunScope {
  readonly facts: RunFacts
  readonly prepared: PreparedAgent
  readonly clock: Clock
  readonly stopper = new Stopper()
  readonly feed: RunFeed
  readonly journal: RunJournal
  readonly aroundModel: Onion<ModelCall, AsyncIterable<ModelEvent>> | undefined
  readonly aroundTool: Onion<ToolCall, Promise<ToolOutcome>> | undefined
  /** Whether a call that needs a person's approval can wait for it. */
  readonly canAsk: boolean
  #callIds: Set<string> | undefined
  /** What the last model call took, and how long the transcript it was sent was. Kept only under a quota of tokens. */
  lastCall: { readonly tokens: number; readonly messages: number } | undefined
  /** This process lets the run go: nothing more is begun, and its journal is left to be resumed. */
  released = false
  tools: ToolSet = { specs: [], byName: new Map() }

  constructor({ facts, prepared, clock, state, target, sink }: RunScopeOptions) {
    this.facts = facts
    this.prepared = prepared
    this.clock = clock
    this.canAsk = prepared.agent.onApproval !== undefined || target !== undefined
    const middleware = prepared.agent.middleware ?? []
    const stages = middleware.map(({ name, begin }) => ({ name, ...begin(facts) }))
    const modelStages = stages.flatMap(stage => stage.model ?? [])
    const toolStages = stages.flatMap(stage => stage.tool ?? [])
    this.aroundModel = modelStages.length === 0 ? undefined : innermost => compose(modelStages, innermost)
    this.aroundTool = toolStages.length === 0 ? undefined : innermost => compose(toolStages, innermost)
    const listeners: RunListener[] = stages.flatMap(({ name, event }) => (event === undefined ? [] : { name, event }))
    this.feed = new RunFeed(
      listeners,
      (listener, error) => {
        const detail = error instanceof Error ? error.message : String(error)
        this.emit({ type: 'middleware.failed', middleware: listener.name, detail })
      },
      sink,
    )
    this.journal = new RunJournal({ facts, clock, state, target, publish: event => this.feed.publish(event) })
  }

  /** Ids the transcript's tool calls have used; an id a provider repeats is replaced. Collected when first needed. */
  get callIds(): Set<string> {
    this.#callIds ??= usedCallIds(this.state)
    return this.#callIds
  }

  get state(): RunState {
    return this.journal.state
  }

  /**
   * Makes another run's transcript the beginning of this one's, and `sessionHead` the run its session must still end
   * with when the first entry is written. Before the first entry only.
   */
  goOnFrom(messages: readonly Message[], sessionHead: string | null | undefined): void {
    this.journal.rebase(initialState(messages), sessionHead)
  }

  /** Lets the run end as failed. A failing store is no end: it is thrown on. */
  fail(cause: unknown): void {
    const error = toErrorInfo(cause)
    if (error.code.startsWith('store-')) throw cause
    this.journal.record({ type: 'run.failed', error })
  }

  /** Shows an ephemeral event to whoever watches. */
  emit(event: EphemeralEvent): void {
    if (!this.feed.wants(event.type)) return
    const { runId, sessionId, path } = this.facts
    const full: RunEvent = { ...event, runId, sessionId, path, seq: this.state.seq, at: this.clock.now() }
    this.feed.publish(full)
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

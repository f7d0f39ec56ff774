import {
  compose,
  toErrorInfo,
  type ApprovalHandler,
  type Clock,
  type EphemeralEvent,
  type Middleware,
  type MiddlewareStages,
  type ModelCall,
  type ModelEvent,
  type ModelSettings,
  type RunEvent,
  type RunFacts,
  type SystemPart,
  type ToolCall,
  type ToolOutcome,
  type Turn,
  type Wrap,
} from '@parley/core'
import type { ParentCall } from '../agents/parent-call.ts'
import { shareLimits } from '../agents/share-limits.ts'
import { countedContext } from '../context/agent-context.ts'
import { RunView } from '../context/run-view.ts'
import { InboxReader } from '../inbox/inbox-reader.ts'
import type { RequestCapture } from '../model/request-capture.ts'
import type { PreparedAgent, RunPolicy } from '../runtime/prepare-agent.ts'
import type { RuntimeContext } from '../runtime/runtime-context.ts'
import { withSettings } from '../runtime/with-settings.ts'
import { RunFeed, type RunFeedOwner, type RunListener } from './run-feed.ts'
import type { RunBase } from '../journal/load-run.ts'
import { RunJournal, type JournalStore } from '../journal/run-journal.ts'
import { initialState, type RunState } from '../journal/run-state.ts'
import type { TemplateValues } from '../prompt/render-template.ts'
import { Stopper } from './stopper.ts'
import type { ToolSet } from '../tools/tool-set.ts'

/** Calls with an agent's middleware around them. */
export type Onion<TCall, TResult> = (innermost: (call: TCall) => TResult) => (call: TCall) => TResult

export interface RunScopeOptions {
  readonly facts: RunFacts
  /** The agent it starts with, whose limits hold for the whole run. */
  readonly prepared: PreparedAgent
  readonly context: RuntimeContext
  readonly state: RunState
  readonly target?: JournalStore | undefined
  /** The run's own, over those of its agents. */
  readonly settings?: ModelSettings | undefined
  /** @default its caller's, or else what the runtime says */
  readonly captures?: RequestCapture | undefined
  /** Set for a sub-agent's run. */
  readonly parent?: ParentCall | undefined
}

/** Everything the driver and its steps share about one run. */
export class RunScope implements RunFeedOwner {
  /** Shared with everyone who was given it, so that the agent is the one that answers now, and the session the one it began in. */
  readonly facts: RunFacts & { agent: string; sessionId: string }
  readonly context: RuntimeContext
  readonly clock: Clock
  readonly stopper = new Stopper()
  readonly feed: RunFeed
  readonly journal: RunJournal
  /** What becomes of the requests that models are sent. */
  readonly captures: RequestCapture
  /** What others have left for the run. Undefined where nobody could. */
  readonly inbox: InboxReader | undefined
  readonly #parent: ParentCall | undefined
  readonly #start: PreparedAgent
  readonly #target: JournalStore | undefined
  readonly #settings: ModelSettings | undefined
  readonly #begun: { readonly middleware: Middleware; readonly stages: MiddlewareStages }[] = []
  #deciding: Set<(approvalId: string) => void> | undefined
  #policy: RunPolicy
  #callIds: Set<string> | undefined
  #tools: ToolSet = { specs: [], byName: new Map() }
  #system: readonly SystemPart[] | undefined
  #view: RunView | undefined
  /** What the last model call took, and how long the transcript it was sent was. Kept only under a quota of tokens. */
  lastCall: { readonly tokens: number; readonly messages: number } | undefined
  /** This process lets the run go: nothing more is begun, and its journal is left to be resumed. */
  released = false
  /** The agent that answers now. */
  prepared: PreparedAgent
  aroundTurn: Onion<Turn, Promise<void>> | undefined
  aroundModel: Onion<ModelCall, AsyncIterable<ModelEvent>> | undefined
  aroundTool: Onion<ToolCall, Promise<ToolOutcome>> | undefined
  /** Calls and the roles the approval handler was asked for, where it sent the question on. */
  asked: Set<string> | undefined
  /** Runs of sub-agents that go on at this moment, by id. */
  children: Map<string, RunScope> | undefined

  constructor({ facts, prepared, context, state, target, settings, captures, parent }: RunScopeOptions) {
    this.facts = facts
    this.context = context
    this.clock = context.clock
    this.#parent = parent
    this.#start = prepared
    this.#policy = prepared.policy
    this.#target = target
    this.#settings = settings
    this.captures = captures ?? parent?.run.captures ?? context.captureRequests
    this.prepared = prepared
    this.feed = new RunFeed(this, { outer: parent?.run.feed, sink: context.sinkFor(facts) })
    const { clock } = context
    this.journal = new RunJournal({ facts, clock, state, target, feed: this.feed })
    const inbox = target?.store.inbox
    this.inbox = inbox === undefined ? undefined : new InboxReader(this, inbox)
    this.activate(prepared)
  }

  /** Lets an agent answer from now on, with its model, tools, settings and middleware. Its tools are opened apart. */
  activate(prepared: PreparedAgent): void {
    this.prepared = this.#settings === undefined ? prepared : withSettings(prepared, this.#settings)
    const { limits, onLimit } = this.#start.policy
    this.#policy = prepared === this.#start ? prepared.policy : { ...prepared.policy, limits, onLimit }
    this.#system = undefined
    this.#view = undefined
    this.facts.agent = prepared.agent.name
    const stages = (prepared.agent.middleware ?? []).map(middleware => this.#begin(middleware))
    const turnStages = stages.flatMap(({ turn }) => (turn === undefined ? [] : toWrap(turn)))
    const modelStages = stages.flatMap(stage => stage.model ?? [])
    const toolStages = stages.flatMap(stage => stage.tool ?? [])
    this.aroundTurn = turnStages.length === 0 ? undefined : innermost => compose(turnStages, innermost)
    this.aroundModel = modelStages.length === 0 ? undefined : innermost => compose(modelStages, innermost)
    this.aroundTool = toolStages.length === 0 ? undefined : innermost => compose(toolStages, innermost)
  }

  /** Once per run, also when several of its agents have the middleware. What it watches it watches to the end. */
  #begin(middleware: Middleware): MiddlewareStages {
    const known = this.#begun.find(begun => begun.middleware === middleware)
    if (known !== undefined) return known.stages
    const stages = middleware.begin(this.facts)
    this.#begun.push({ middleware, stages })
    const { event } = stages
    if (event !== undefined) this.feed.listen({ name: middleware.name, event })
    return stages
  }

  /**
   * What the agent that answers says about deciding, within the limits of the one the run began with; a sub-agent's move
   * with what is left of its caller's.
   */
  get policy(): RunPolicy {
    const parent = this.#parent
    if (parent === undefined) return this.#policy
    return { ...this.#policy, limits: shareLimits(this.#policy.limits, this, parent) }
  }

  /** Who decides about calls in this process: the agent's handler, else that of the agent it works for. */
  get onApproval(): ApprovalHandler | undefined {
    return this.prepared.agent.onApproval ?? this.#parent?.run.onApproval
  }

  /** Calls `listener` with the id of each request that is decided otherwise than by the handler. Returns the way to leave. */
  onDecided(listener: (approvalId: string) => void): () => void {
    const deciding = (this.#deciding ??= new Set())
    deciding.add(listener)
    return () => deciding.delete(listener)
  }

  tellDecided(approvalId: string): void {
    for (const listener of this.#deciding ?? []) listener(approvalId)
  }

  /** Whether a call that needs a person's approval can wait for it. */
  get canAsk(): boolean {
    return this.onApproval !== undefined || this.isKept
  }

  /** Whether a store keeps it, so that others can go on with it. */
  get isKept(): boolean {
    return this.#target !== undefined
  }

  /** Ids the transcript's tool calls have used; an id a provider repeats is replaced. Collected when first needed. */
  get callIds(): Set<string> {
    this.#callIds ??= usedCallIds(this.state)
    return this.#callIds
  }

  /** What the next model call would send; undefined for an agent without a context policy. */
  get view(): RunView | undefined {
    const { context } = this.prepared
    if (context === undefined) return undefined
    this.#view ??= new RunView(this, context)
    return this.#view
  }

  /** The same where a tool edits it, which it may also of an agent without a context policy. */
  get editedView(): RunView {
    return this.view ?? (this.#view ??= new RunView(this, countedContext(this.prepared.agent)))
  }

  get tools(): ToolSet {
    return this.#tools
  }

  set tools(tools: ToolSet) {
    // What is the same is not written again, nor counted.
    if (tools === this.#tools) return
    this.#tools = tools
    this.#system = undefined
  }

  /** What the model is told: the agent's instructions with this run's values, how it is to answer, and the run's own. */
  get system(): readonly SystemPart[] {
    this.#system ??= this.#renderSystem()
    return this.#system
  }

  #renderSystem(): readonly SystemPart[] {
    const { instructions, output } = this.prepared
    const parts = instructions.fixed ?? instructions.render(this.#templateValues())
    const { instructions: own } = this.state
    if (own === undefined) return output?.instruction === undefined ? parts : [...parts, output.instruction]
    // Another run has others: what all runs have in common comes before.
    return [...parts, ...(output?.instruction === undefined ? [] : [output.instruction]), { text: own, volatile: true }]
  }

  #templateValues(): TemplateValues {
    const { startedAt, variables = {} } = this.state
    return {
      variables,
      builtIn: {
        current_time: `${new Date(startedAt).toISOString().slice(0, 19)}Z`,
        agent_id: this.prepared.agent.name,
        runtime_id: this.context.worker,
        available_tools: JSON.stringify([...this.#tools.byName.keys()]),
        user_variables: JSON.stringify(variables),
      },
    }
  }

  get state(): RunState {
    return this.journal.state
  }

  /**
   * Makes another run's transcript the beginning of this one's, and `sessionHead` the run its session must still end
   * with when the first entry is written. Before the first entry only.
   */
  goOnFrom({ messages, context, sessionHead, session }: RunBase): void {
    if (session !== undefined) this.facts.sessionId = session.id
    this.journal.rebase(initialState(messages, context), sessionHead)
  }

  /** Lets the run end as failed. A failing store is no end: it is thrown on. */
  fail(cause: unknown): void {
    const error = toErrorInfo(cause)
    if (error.code.startsWith('store-')) throw cause
    this.journal.record({ type: 'run.failed', error })
  }

  listenerFailed(listener: RunListener, error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error)
    this.emit({ type: 'middleware.failed', middleware: listener.name, detail })
  }

  /** Shows an ephemeral event to whoever watches. */
  emit(event: EphemeralEvent): void {
    if (!this.feed.wants(event.type)) return
    const { runId, sessionId, path } = this.facts
    const full: RunEvent = { ...event, runId, sessionId, path, seq: this.state.seq, at: this.clock.now() }
    this.feed.show(full)
  }
}

/** A turn cannot be rewritten, so a stage passes nothing on. */
function toWrap(stage: NonNullable<MiddlewareStages['turn']>): Wrap<Turn, Promise<void>> {
  return (turn, next) => stage(turn, () => next(turn))
}

function usedCallIds(state: RunState): Set<string> {
  const ids = new Set<string>()
  for (const message of state.transcript.toArray()) {
    if (message.role === 'tool') ids.add(message.callId)
  }
  for (const { call } of state.calls ?? []) ids.add(call.callId)
  return ids
}

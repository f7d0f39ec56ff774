import type {
  Cost,
  ErrorInfo,
  FinishReason,
  Json,
  Message,
  ModelRequest,
  Outcome,
  RunFacts,
  ToolCall,
  ToolCallPart,
  ToolOutcome,
  Turn,
  Usage,
  UserMessage,
} from '@parley/core'

type Awaitable<TValue> = TValue | Promise<TValue>

/**
 * Functions that are called at the moments of a run, all optional. A hook that can change or stop something may be
 * asynchronous. If it returns `undefined`, nothing changes. If it throws, its call or turn fails. A hook that only
 * observes must be synchronous.
 */
export interface Hooks {
  /** Called before the first turn of the first run of a session. `false` ends the run as cancelled by a guard. */
  readonly beforeSession?: ((run: RunFacts, session: Session) => Awaitable<boolean | void>) | undefined
  /** Called after each run of a session, directly after `afterRun`. */
  readonly afterSession?: ((run: RunFacts, session: Session) => void) | undefined
  /** Called before the first turn of a run, with this turn. `false` ends the run as cancelled by a guard. */
  readonly beforeRun?: ((run: RunFacts, turn: Turn) => Awaitable<boolean | void>) | undefined
  /** Called after the run has ended. */
  readonly afterRun?: ((run: RunFacts, end: RunEnd) => void) | undefined
  /** Called before each turn. `false` ends the run as cancelled by a guard. */
  readonly beforeTurn?: ((run: RunFacts, turn: Turn) => Awaitable<boolean | void>) | undefined
  /** Called after each turn, even after a failed one. */
  readonly afterTurn?: ((run: RunFacts, end: TurnEnd) => Awaitable<void>) | undefined
  /**
   * Called after each turn, and between the tool calls of an answer if they run in several batches. Returns messages that steer the
   * run, as `Run.steer` does: they become durable first, and calls that have not started are skipped.
   */
  readonly getMessages?: ((run: RunFacts) => Awaitable<readonly (string | UserMessage)[]>) | undefined
  /**
   * Delivers the messages of `getMessages` itself, for example `(runId, message) => runs.get(runId)?.followUp(message)`. `getMessages`
   * is then called only after each turn. @default the messages steer the run
   */
  readonly deliver?: ((runId: string, message: string | UserMessage) => Awaitable<void>) | undefined
  /** Called before each model call. Chooses the messages to send. Each tool call must stay together with its result. */
  readonly transformContext?:
    | ((messages: readonly Message[], run: RunFacts) => Awaitable<readonly Message[] | void>)
    | undefined
  /** Called before each model call, after `transformContext`. Converts the messages to a form that the model understands. */
  readonly convertMessages?:
    | ((messages: readonly Message[], run: RunFacts) => Awaitable<readonly Message[] | void>)
    | undefined
  /** Called before each model call, after `convertMessages`. May change the whole request. */
  readonly beforeModel?: ((request: ModelRequest, run: RunFacts) => Awaitable<ModelRequest | void>) | undefined
  /** Called with each complete answer. May change the answer. With this hook, readers see an answer only when it is complete. */
  readonly afterModel?: ((answer: ModelAnswer, run: RunFacts) => Awaitable<ModelAnswer | void>) | undefined
  /**
   * Called when a model call failed before it produced any output. `attempt` counts from 1. `'retry'` repeats the call; a text
   * becomes the answer. Not called when the run is being stopped.
   */
  readonly onError?: ((error: ErrorInfo, attempt: number, run: RunFacts) => Awaitable<ModelErrorDecision>) | undefined
  /**
   * Called once for each failure of the run, of any kind. Only observes: to repeat a model call, use `onError`. A failed attempt that
   * was repeated is not a failure, and neither is a cancel.
   */
  readonly onFailure?: ((failure: RunFailure, run: RunFacts) => void) | undefined
  /** Called before a tool call is validated. May refuse the call or change its input. */
  readonly beforeTool?: ((call: ToolCall, run: RunFacts) => Awaitable<ToolDecision>) | undefined
  /** Called with the outcome of each tool call. May change the outcome. */
  readonly afterTool?:
    | ((call: ToolCall, outcome: ToolOutcome, run: RunFacts) => Awaitable<ToolOutcome | void>)
    | undefined
  /** Called when a tool call reports progress. To hide progress, wrap the tool with `gateProgress`. */
  readonly onProgress?:
    | ((progress: { readonly callId: string; readonly name: string; readonly update: Json }) => void)
    | undefined
  /** Called when the context policy starts to compact this number of messages. To prevent it, wrap the policy with `gateCompaction`. */
  readonly onCompacting?: ((messages: number) => void) | undefined
  /** Called after a compaction with the number of messages before and after it, and the estimated tokens of the request before and after. */
  readonly afterCompaction?: ((...sizes: CompactionSizes) => void) | undefined
}

/** Sizes of a request before and after a compaction. */
export type CompactionSizes = [messagesBefore: number, messagesAfter: number, tokensBefore: number, tokensAfter: number]

/** The session of a run. */
export interface Session {
  readonly sessionId: string
  readonly scope: string
  /** Number of runs so far, the current one included. */
  readonly runs: number
  /** The transcript of the session. The list is made when the field is read. */
  readonly messages: readonly Message[]
}

/** A failure of a run. */
export interface RunFailure {
  /**
   * What failed. `input`: an input filter. `model`: a model call, even one that had produced output. `tool`: a tool call, even
   * one that was denied. `tool-source`: the tools of a source. `child-run`: a child run; the call that started it is not
   * reported again. `hook`: a function of these hooks, or a turn or event hook of any middleware. `context`: the context policy,
   * even if the run continues. `handoff`: a handoff. `store`: the store. `run`: anything else, such as a limit that fails the
   * run or an invalid output.
   */
  readonly phase: FailurePhase
  readonly error: ErrorInfo
  /** Id of the tool call that failed, or that started the child run. */
  readonly callId?: string | undefined
  /** Id of the child run that failed. */
  readonly childRunId?: string | undefined
}

export type FailurePhase =
  | 'input'
  | 'model'
  | 'tool'
  | 'tool-source'
  | 'child-run'
  | 'hook'
  | 'context'
  | 'handoff'
  | 'store'
  | 'run'

/** How a run ended, and what it used. */
export interface RunEnd {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** The transcript, with the history of the run. The list is made when the field is read. */
  readonly messages: readonly Message[]
  /** The messages of this run. The list is made when the field is read. */
  readonly newMessages: readonly Message[]
}

/** A turn that is over. */
export interface TurnEnd {
  /** Number of the turn, from 1. */
  readonly turn: number
  /** Usage of the turn's model call. */
  readonly usage: Usage
  /** The transcript after the turn. The list is made when the field is read. */
  readonly messages: readonly Message[]
}

/** A model's complete answer. */
export interface ModelAnswer {
  readonly text: string
  readonly toolCalls: readonly ToolCallPart[]
  readonly finish: FinishReason
}

/** Repeats the failed model call, or answers with a text instead. `undefined` lets the call fail. */
export type ModelErrorDecision = 'retry' | { readonly text: string } | undefined | void

/** `false` or a reason refuses the call. An input replaces the one that the model wrote and is validated as well. */
export type ToolDecision = boolean | { readonly block: string } | { readonly input: unknown } | undefined | void

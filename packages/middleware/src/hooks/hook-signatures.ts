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
 * One function for each moment of a run. A hook that decides may be asynchronous; a hook that only observes may not. A result
 * of `undefined` changes nothing. If a deciding hook throws, the call or turn that it decides about fails.
 */
export interface Hooks {
  /** Before the first turn of a run that has no conversation before it. `false` ends the run as cancelled by a guard. */
  readonly beforeSession?: ((run: RunFacts) => Awaitable<boolean | void>) | undefined
  /** After each run of a session, right after `afterRun`. */
  readonly afterSession?: ((run: RunFacts) => void) | undefined
  /** Before the first turn of a run. `false` ends the run as cancelled by a guard. */
  readonly beforeRun?: ((run: RunFacts) => Awaitable<boolean | void>) | undefined
  /** After the run has ended. */
  readonly afterRun?: ((run: RunFacts, end: RunEnd) => void) | undefined
  /** Before each turn. `false` ends the run as cancelled by a guard. */
  readonly beforeTurn?: ((run: RunFacts, turn: Turn) => Awaitable<boolean | void>) | undefined
  /** After each turn, also after a failed one. */
  readonly afterTurn?: ((run: RunFacts, end: TurnEnd) => Awaitable<void>) | undefined
  /** After each turn. Returns messages to insert into the run. They are passed to `deliver`, which steers the run. */
  readonly getMessages?: ((run: RunFacts) => Awaitable<readonly (string | UserMessage)[]>) | undefined
  /** Required with `getMessages`. Delivers a message to the run, for example `(runId, message) => runs.get(runId)?.steer(message)`. */
  readonly deliver?: ((runId: string, message: string | UserMessage) => Awaitable<void>) | undefined
  /** Chooses the messages that this model call sends. Each tool call must stay together with its result. */
  readonly transformContext?:
    | ((messages: readonly Message[], run: RunFacts) => Awaitable<readonly Message[] | void>)
    | undefined
  /** Converts the messages to a form that the model understands, after `transformContext`. */
  readonly convertMessages?:
    | ((messages: readonly Message[], run: RunFacts) => Awaitable<readonly Message[] | void>)
    | undefined
  /** Sees and may change the whole request, after the hooks above. */
  readonly beforeModel?: ((request: ModelRequest, run: RunFacts) => Awaitable<ModelRequest | void>) | undefined
  /** Sees and may change the answer. With this hook, an answer is shown only when it is complete. */
  readonly afterModel?: ((answer: ModelAnswer, run: RunFacts) => Awaitable<ModelAnswer | void>) | undefined
  /**
   * Called when a model call failed before it produced any output. `attempt` counts from 1. `'retry'` repeats the call; a text
   * becomes the answer. Not called when the run is being stopped.
   */
  readonly onError?: ((error: ErrorInfo, attempt: number, run: RunFacts) => Awaitable<ModelErrorDecision>) | undefined
  /** Before a tool call is validated. */
  readonly beforeTool?: ((call: ToolCall, run: RunFacts) => Awaitable<ToolDecision>) | undefined
  /** Sees and may change the outcome of a tool call. */
  readonly afterTool?:
    | ((call: ToolCall, outcome: ToolOutcome, run: RunFacts) => Awaitable<ToolOutcome | void>)
    | undefined
  /** Called when a tool call reports progress. To hide progress, wrap the tool with `gateProgress`. */
  readonly onProgress?:
    | ((progress: { readonly callId: string; readonly name: string; readonly update: Json }) => void)
    | undefined
  /** Called when the context policy starts to compact this number of messages. To prevent it, wrap the policy with `gateCompaction`. */
  readonly onCompacting?: ((messages: number) => void) | undefined
  /** Called after a compaction with the number of messages before and after it. */
  readonly afterCompaction?: ((before: number, after: number) => void) | undefined
}

/** How a run ended, and what it used. */
export interface RunEnd {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly cost: Cost | undefined
}

/** A turn that is over. */
export interface TurnEnd {
  /** Number of the turn, from 1. */
  readonly turn: number
  /** Usage of the turn's model call. */
  readonly usage: Usage
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

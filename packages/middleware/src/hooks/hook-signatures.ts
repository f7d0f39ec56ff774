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
 * asynchronous, and `undefined` changes nothing. If it throws, its call or turn fails. A hook that only observes must be
 * synchronous.
 */
export interface Hooks {
  /**
   * Called before the first turn of a run whose conversation is only the input message. `false` ends the run as cancelled by a
   * guard.
   */
  readonly beforeSession?: ((run: RunFacts) => Awaitable<boolean | void>) | undefined
  /** Called after each run of a session, directly after `afterRun`. */
  readonly afterSession?: ((run: RunFacts) => void) | undefined
  /** Called before the first turn of a run. `false` ends the run as cancelled by a guard. */
  readonly beforeRun?: ((run: RunFacts) => Awaitable<boolean | void>) | undefined
  /** Called after the run has ended. */
  readonly afterRun?: ((run: RunFacts, end: RunEnd) => void) | undefined
  /** Called before each turn. `false` ends the run as cancelled by a guard. */
  readonly beforeTurn?: ((run: RunFacts, turn: Turn) => Awaitable<boolean | void>) | undefined
  /** Called after each turn, also after a failed one. */
  readonly afterTurn?: ((run: RunFacts, end: TurnEnd) => Awaitable<void>) | undefined
  /** Called after each turn. Returns messages to insert into the run, which are passed to `deliver`. */
  readonly getMessages?: ((run: RunFacts) => Awaitable<readonly (string | UserMessage)[]>) | undefined
  /** Required with `getMessages`. Delivers a message to the run, for example `(runId, message) => runs.get(runId)?.steer(message)`. */
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

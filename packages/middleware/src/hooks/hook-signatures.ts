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
 * One function for each moment of a run, instead of a stage around it. A hook that decides may be asynchronous; one that
 * only watches may not. `undefined` leaves everything as it is. What a deciding hook throws fails what it decides about.
 */
export interface Hooks {
  /** Before the first turn of a run that has no conversation before it. `false` ends the run as cancelled by a guard. */
  readonly beforeSession?: ((run: RunFacts) => Awaitable<boolean | void>) | undefined
  /** After each run of a session: nothing of it is left to be done now. */
  readonly afterSession?: ((run: RunFacts) => void) | undefined
  /** Before the first turn of a run. `false` ends it as cancelled by a guard. */
  readonly beforeRun?: ((run: RunFacts) => Awaitable<boolean | void>) | undefined
  readonly afterRun?: ((run: RunFacts, end: RunEnd) => void) | undefined
  /** Before each turn. `false` ends the run as cancelled by a guard. */
  readonly beforeTurn?: ((run: RunFacts, turn: Turn) => Awaitable<boolean | void>) | undefined
  /** After each turn, also one that failed. */
  readonly afterTurn?: ((run: RunFacts, end: TurnEnd) => Awaitable<void>) | undefined
  /** After each turn: messages to put in. They are handed to `deliver`, which steers the run. */
  readonly getMessages?: ((run: RunFacts) => Awaitable<readonly (string | UserMessage)[]>) | undefined
  /** Needed with `getMessages`: `(runId, message) => runs.get(runId)?.steer(message)`, say. */
  readonly deliver?: ((runId: string, message: string | UserMessage) => Awaitable<void>) | undefined
  /** Chooses what of the conversation this call sends. Keep each call with its result. */
  readonly transformContext?:
    | ((messages: readonly Message[], run: RunFacts) => Awaitable<readonly Message[] | void>)
    | undefined
  /** Puts what is sent into a form the model reads, after `transformContext`. */
  readonly convertMessages?:
    | ((messages: readonly Message[], run: RunFacts) => Awaitable<readonly Message[] | void>)
    | undefined
  /** Sees and changes the whole request, last. */
  readonly beforeModel?: ((request: ModelRequest, run: RunFacts) => Awaitable<ModelRequest | void>) | undefined
  /** Sees and changes the answer. With it, nobody sees an answer before it is whole. */
  readonly afterModel?: ((answer: ModelAnswer, run: RunFacts) => Awaitable<ModelAnswer | void>) | undefined
  /**
   * A model call failed before it showed anything; `attempt` counts from 1. `retry` makes it again, a text answers in its
   * place. Not asked when the run is being stopped.
   */
  readonly onError?: ((error: ErrorInfo, attempt: number, run: RunFacts) => Awaitable<ModelErrorDecision>) | undefined
  /** Before a call is validated. */
  readonly beforeTool?: ((call: ToolCall, run: RunFacts) => Awaitable<ToolDecision>) | undefined
  /** Sees and changes what came of a call. */
  readonly afterTool?:
    | ((call: ToolCall, outcome: ToolOutcome, run: RunFacts) => Awaitable<ToolOutcome | void>)
    | undefined
  /** A call says how far it is. To hold such words back, wrap the tool with `gateProgress`. */
  readonly onProgress?:
    | ((progress: { readonly callId: string; readonly name: string; readonly update: Json }) => void)
    | undefined
  /** The context policy begins. To forbid it, wrap the policy with `gateCompaction`. */
  readonly onCompacting?: ((messages: number) => void) | undefined
  readonly afterCompaction?: ((before: number, after: number) => void) | undefined
}

export interface RunEnd {
  readonly outcome: Outcome
  readonly usage: Usage
  readonly cost: Cost | undefined
}

export interface TurnEnd {
  readonly turn: number
  /** Of the turn's model call. */
  readonly usage: Usage
}

export interface ModelAnswer {
  readonly text: string
  readonly toolCalls: readonly ToolCallPart[]
  readonly finish: FinishReason
}

export type ModelErrorDecision = 'retry' | { readonly text: string } | undefined | void

/** `false` or a reason refuses the call; an input replaces the one the model wrote, and is validated like it. */
export type ToolDecision = boolean | { readonly block: string } | { readonly input: unknown } | undefined | void

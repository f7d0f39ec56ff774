import type { ErrorInfo, FinishReason, ModelEvent, Usage } from '@parley/core'

/** An answer of a scripted model. A string is an answer with that text. */
export type ScriptStep = string | ScriptedAnswer

/** An answer of a scripted model. */
export interface ScriptedAnswer {
  readonly reasoning?: string | undefined
  readonly text?: string | undefined
  /** Characters per text or reasoning delta. @default 8 */
  readonly chunkSize?: number | undefined
  readonly toolCalls?: readonly ScriptedCall[] | undefined
  /** Raw events instead of the fields above. They must contain the `finish`. */
  readonly events?: readonly ModelEvent[] | undefined
  /** Usage of the answer. Absent fields are 10 for `input`, 5 for `output` and 0 for the others. */
  readonly usage?: Partial<Usage> | undefined
  /**
   * Reason of the finish. With `none`, the stream ends without a `finish`, as a faulty provider does.
   * @default 'tool-calls' with calls, otherwise 'stop'
   */
  readonly finish?: FinishReason | 'none' | undefined
  /** Milliseconds to wait before the first event. @default 0 */
  readonly delayMs?: number | undefined
  /** A promise to wait for before the first event. */
  readonly until?: Promise<unknown> | undefined
  /** Error that is thrown after all other events instead of the finish: the info of a `ParleyError`, or any error as it is. */
  readonly error?: ErrorInfo | Error | undefined
  /** Whether the stream waits for an abort after all other events. @default false */
  readonly hang?: boolean | undefined
}

/** A tool call of a scripted answer. */
export interface ScriptedCall {
  readonly name: string
  /** Arguments, which are written as JSON. @default {} */
  readonly input?: unknown
  /** Text of the arguments instead of `input`, for malformed JSON. */
  readonly arguments?: string | undefined
  /** Id of the call. @default `call_<n>`, counted over the model's lifetime */
  readonly callId?: string | undefined
}

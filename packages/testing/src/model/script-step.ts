import type { ErrorInfo, FinishReason, ModelEvent, Usage } from '@parley/core'

/** One answer of a scripted model. A string is a text answer. */
export type ScriptStep = string | ScriptedAnswer

export interface ScriptedAnswer {
  readonly reasoning?: string | undefined
  readonly text?: string | undefined
  /** Characters per text or reasoning delta. @default 8 */
  readonly chunkSize?: number | undefined
  readonly toolCalls?: readonly ScriptedCall[] | undefined
  /** Raw events instead of the fields above; a `finish` of its own ends the answer. */
  readonly events?: readonly ModelEvent[] | undefined
  readonly usage?: Partial<Usage> | undefined
  /** `none` lets the stream end without a `finish`, as a broken provider would. @default 'tool-calls' with calls, else 'stop' */
  readonly finish?: FinishReason | 'none' | undefined
  /** Wait before the first event. @default 0 */
  readonly delayMs?: number | undefined
  /** Wait for this before the first event. */
  readonly until?: Promise<unknown> | undefined
  /** Thrown instead of finishing, after everything else was sent. */
  readonly error?: ErrorInfo | undefined
  /** After everything else was sent, waits until the call is aborted. @default false */
  readonly hang?: boolean | undefined
}

export interface ScriptedCall {
  readonly name: string
  /** Written as JSON; give `arguments` for text that is none. @default {} */
  readonly input?: unknown
  readonly arguments?: string | undefined
  /** @default `call_<n>`, counted over the model's life */
  readonly callId?: string | undefined
}

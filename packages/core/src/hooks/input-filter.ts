import type { RunFacts } from '../run/run-facts.ts'
import type { UserMessage } from '../schema/message.ts'

/** Checks the messages that a user sends to a run: its input, steering and follow-ups. */
export interface InputFilter {
  readonly name: string
  /** Judges a message before the run takes it. If it throws, the message is rejected: a broken filter must not admit messages. */
  check(message: UserMessage, options: InputFilterOptions): InputVerdict | Promise<InputVerdict>
}

/** Second argument of `InputFilter.check`. */
export interface InputFilterOptions {
  readonly run: RunFacts
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal
}

/** Verdict of an input filter. */
export type InputVerdict =
  | 'pass'
  /** Admits the message, with a warning that the model reads. */
  | { readonly type: 'warn'; readonly warning: string }
  /** Rejects the message. A run whose input is rejected ends with status `rejected`. */
  | { readonly type: 'reject'; readonly reason: string }
  /** Admits another message instead. The original is not stored. */
  | { readonly type: 'replace'; readonly message: string | UserMessage; readonly reason?: string | undefined }

import type { RunFacts } from '../run/run-facts.ts'
import type { UserMessage } from '../schema/message.ts'

/** Looks at what a person sends before a run takes it in: its input, steering and follow-ups. */
export interface InputFilter {
  readonly name: string
  /** What it throws rejects the message: a guard that breaks has not said yes. */
  check(message: UserMessage, options: InputFilterOptions): InputVerdict | Promise<InputVerdict>
}

export interface InputFilterOptions {
  readonly run: RunFacts
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal
}

export type InputVerdict =
  | 'pass'
  /** Goes on, with the warning for the model to read. */
  | { readonly type: 'warn'; readonly warning: string }
  /** Refuses the message. A run whose input is refused ends as `rejected`. */
  | { readonly type: 'reject'; readonly reason: string }
  /** Goes on with another message; the one before it is kept nowhere. */
  | { readonly type: 'replace'; readonly message: string | UserMessage; readonly reason?: string | undefined }

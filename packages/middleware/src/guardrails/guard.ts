import { describeError, toErrorInfo, type RunFacts } from '@parley/core'

/** Decides about a text: what a user sends, what a model answers, or a tool call. */
export interface Guard {
  /** Name of the guard, which appears in the reason of a block. */
  readonly name: string
  /** Decides about a text. If it throws, the text is blocked. */
  check(text: string, subject: GuardSubject): GuardVerdict | Promise<GuardVerdict>
}

/** Describes the text. */
export interface GuardSubject {
  /** A user's message, a model's answer, or a tool call. */
  readonly kind: 'input' | 'output' | 'tool'
  readonly run: RunFacts
  /** Aborted when the run is stopped. */
  readonly signal: AbortSignal
  /** The tool call, if `kind` is `tool`. The text then contains its name, and its arguments as JSON. */
  readonly tool?: { readonly name: string; readonly input: unknown } | undefined
}

/** Decision of a guard. */
export type GuardVerdict =
  | 'pass'
  | { readonly type: 'block'; readonly reason: string }
  /** Continues with another text, or for a tool call with another input. */
  | { readonly type: 'replace'; readonly text?: string | undefined; readonly input?: unknown }

/** Returns the guard's verdict, or a block if the guard throws. Throws the reason of the signal if the run is stopped. */
export function askGuard(guard: Guard, text: string, subject: GuardSubject): GuardVerdict | Promise<GuardVerdict> {
  try {
    const verdict = guard.check(text, subject)
    // Any other object is a promise of a verdict.
    return verdict === 'pass' || 'type' in verdict
      ? verdict
      : verdict.then(undefined, (error: unknown) => broken(error, subject))
  } catch (error) {
    return broken(error, subject)
  }
}

function broken(error: unknown, { signal }: GuardSubject): GuardVerdict {
  signal.throwIfAborted()
  return { type: 'block', reason: `the guard failed: ${describeError(toErrorInfo(error))}` }
}

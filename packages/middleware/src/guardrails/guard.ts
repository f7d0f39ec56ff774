import { describeError, toErrorInfo, type RunFacts } from '@parley/core'

/** Decides about a text: what a person sends, what a model answers, or a tool call. */
export interface Guard {
  readonly name: string
  /** What it throws blocks: a guard that breaks has not said yes. */
  check(text: string, subject: GuardSubject): GuardVerdict | Promise<GuardVerdict>
}

/** What the text is. */
export interface GuardSubject {
  readonly kind: 'input' | 'output' | 'tool'
  readonly run: RunFacts
  readonly signal: AbortSignal
  /** The call, when `kind` is `tool`; the text is its name and arguments as JSON. */
  readonly tool?: { readonly name: string; readonly input: unknown } | undefined
}

export type GuardVerdict =
  | 'pass'
  | { readonly type: 'block'; readonly reason: string }
  /** Goes on with another text; for a tool call, with another input. */
  | { readonly type: 'replace'; readonly text?: string | undefined; readonly input?: unknown }

/** The guard's verdict; a block for one that throws. A stop of the run is thrown on. */
export function askGuard(guard: Guard, text: string, subject: GuardSubject): GuardVerdict | Promise<GuardVerdict> {
  try {
    const verdict = guard.check(text, subject)
    // What is no verdict is the promise of one.
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

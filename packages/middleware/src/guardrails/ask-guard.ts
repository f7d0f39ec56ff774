import { describeError, toErrorInfo } from '@parley/core'
import type { Guard, GuardSubject, GuardVerdict } from './guard.ts'

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

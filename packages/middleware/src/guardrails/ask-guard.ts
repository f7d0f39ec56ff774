import { describeError, toErrorInfo } from '@parley/core'
import type { Guard, GuardSubject, GuardVerdict } from './guard.ts'

/** The guard's verdict; a block for one that throws. A stop of the run is thrown on. */
export async function askGuard(guard: Guard, text: string, subject: GuardSubject): Promise<GuardVerdict> {
  try {
    return await guard.check(text, subject)
  } catch (error) {
    subject.signal.throwIfAborted()
    return { type: 'block', reason: `the guard failed: ${describeError(toErrorInfo(error))}` }
  }
}

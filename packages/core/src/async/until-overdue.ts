import type { Clock } from './clock.ts'

/** Milliseconds that work has to settle after it was told to stop. Then its caller continues without it. */
export const SETTLE_MS = 1_000

/**
 * Waits for `work` that `signal` stops. Returns `undefined` if the work has not settled `SETTLE_MS` milliseconds after the signal
 * was aborted. The work itself continues, and its rejection is handled.
 */
export function untilOverdue<TResult>(
  work: Promise<TResult>,
  signal: AbortSignal,
  clock: Clock,
): Promise<TResult | undefined> {
  return new Promise((resolve, reject) => {
    let callOff: (() => void) | undefined
    const wait = (): void => {
      callOff = clock.after(SETTLE_MS, () => resolve(undefined))
    }
    const settled = (): void => {
      signal.removeEventListener('abort', wait)
      callOff?.()
    }
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
    work.then(
      result => {
        settled()
        resolve(result)
      },
      (error: unknown) => {
        settled()
        reject(error)
      },
    )
  })
}

import type { Clock } from '@parley/core'

/** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal is aborted. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error)
      return
    }
    const stop = (): void => {
      cancel()
      reject(signal.reason as Error)
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
    signal.addEventListener('abort', stop, { once: true })
  })
}

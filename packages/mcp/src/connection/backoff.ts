import { backoffMs } from '@parley/core'

/** Schedules retries with growing delays. */
export interface Backoff {
  /** Schedules the next attempt. @returns Milliseconds until the attempt; `undefined` if no attempts are left. */
  schedule(): number | undefined
  /** Cancels the scheduled attempt. The delays continue to grow. */
  pause(): void
  /** Cancels the scheduled attempt. The next delay is `firstMs` again. */
  reset(): void
}

export interface BackoffOptions {
  readonly retry: () => void
  /** Delay before the first retry, in milliseconds. @default 500 */
  readonly firstMs?: number | undefined
  /** Longest delay, in milliseconds. @default 30_000 */
  readonly longestMs?: number | undefined
  /** Number of attempts until a reset. @default 10 */
  readonly maxAttempts?: number | undefined
}

/**
 * Creates the schedule of the attempts to connect. Doubles the delay with each attempt. A scheduled attempt does not
 * keep the process alive.
 */
export function createBackoff({ retry, firstMs = 500, longestMs = 30_000, maxAttempts = 10 }: BackoffOptions): Backoff {
  let attempts = 0
  let timer: NodeJS.Timeout | undefined
  return {
    schedule() {
      clearTimeout(timer)
      if (attempts === maxAttempts) return undefined
      attempts += 1
      const delayMs = backoffMs(attempts, 0, { initialDelayMs: firstMs, maxDelayMs: longestMs, jitter: 0 })
      timer = setTimeout(retry, delayMs)
      timer.unref()
      return delayMs
    },
    pause() {
      clearTimeout(timer)
    },
    reset() {
      clearTimeout(timer)
      attempts = 0
    },
  }
}

import { backoffMs } from '@parley/core'

/** Tries something again after growing pauses. */
export interface Backoff {
  /** Plans the next attempt. @returns Milliseconds until then; undefined when there were enough of them. */
  schedule(): number | undefined
  /** Calls the planned attempt off; the next pause is still the longer one. */
  pause(): void
  /** Calls the planned attempt off and starts with the shortest pause again. */
  reset(): void
}

export interface BackoffOptions {
  readonly retry: () => void
  /** @default 500 */
  readonly firstMs?: number | undefined
  /** @default 30_000 */
  readonly longestMs?: number | undefined
  /** @default 10 */
  readonly maxAttempts?: number | undefined
}

/** Each pause is twice the one before. A planned attempt does not keep the process alive. */
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

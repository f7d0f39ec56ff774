/** Limits the restarts within a sliding window. */
export interface RestartLimit {
  /** Counts one restart. @returns `false` if none is left in the window. */
  take(): boolean
}

export interface RestartLimitOptions {
  readonly max: number
  readonly windowMs: number
  /** Returns the milliseconds of a monotonic clock. */
  readonly now: () => number
}

export function createRestartLimit({ max, windowMs, now }: RestartLimitOptions): RestartLimit {
  let taken: number[] = []
  return {
    take() {
      const at = now()
      taken = taken.filter(earlier => at - earlier < windowMs)
      if (taken.length >= max) return false
      taken.push(at)
      return true
    },
  }
}

/** Counts restarts over a sliding window. */
export interface RestartLimit {
  /** Takes one of the restarts that are left; `false` when none is. */
  take(): boolean
}

export interface RestartLimitOptions {
  readonly max: number
  readonly windowMs: number
  /** Milliseconds of a clock that does not go back. */
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

import type { Clock } from '@parley/core'

/** The clock of the demo's runs. They lie in the past, and take longer than the models of the demo do. */
export interface DemoClock extends Clock {
  /** Sets the clock forward. @param at Milliseconds since the epoch. */
  skipTo(at: number): void
}

/** How many milliseconds pass on the clock while one passes on the machine. */
const SPEED = 20

/** Longest delay that `setTimeout` accepts. */
const LONGEST_DELAY_MS = 0x7fffffff

/** @param start Milliseconds since the epoch. */
export function createDemoClock(start: number): DemoClock {
  let from = start
  let since = performance.now()
  const now = (): number => Math.round(from + (performance.now() - since) * SPEED)
  return {
    now,
    after(ms, callback) {
      const timer = setTimeout(callback, Math.min(ms / SPEED, LONGEST_DELAY_MS))
      return () => clearTimeout(timer)
    },
    skipTo(at) {
      from = Math.max(at, now())
      since = performance.now()
    },
  }
}

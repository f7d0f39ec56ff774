/** A source of time. The engine reads time only from its clock, so tests can replace it. */
export interface Clock {
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  /**
   * Calls `callback` once after `ms` milliseconds. The timer keeps the process alive.
   * @returns A function that cancels the call.
   */
  after(ms: number, callback: () => void): () => void
}

/**
 * Longest delay of a timer, in milliseconds. For a delay that does not fit a signed 32-bit integer, `setTimeout` fires
 * immediately.
 */
const LONGEST_DELAY_MS = 0x7fffffff

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
}

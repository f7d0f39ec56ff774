/** Where time comes from. The engine reads time from nothing else, so tests can replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Calls `callback` once after `ms` milliseconds; the process stays alive until then. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void
}

/** `setTimeout` fires at once for a delay that does not fit a signed 32-bit integer. */
const LONGEST_DELAY_MS = 0x7fffffff

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
}

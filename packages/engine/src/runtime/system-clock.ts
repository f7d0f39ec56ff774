import type { Clock } from '@parley/core'

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  after(ms, callback) {
    // Longer delays would wrap around and fire at once.
    const timer = setTimeout(callback, Math.min(ms, 0x7fffffff))
    return () => clearTimeout(timer)
  },
}

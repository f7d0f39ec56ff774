import type { Clock } from '@parley/core'

const LONGEST_DELAY_MS = 0x7fffffff

/** The machine's clock, for options that name none. */
export function machineClock({ now = Date.now }: { readonly now?: (() => number) | undefined } = {}): Clock {
  return {
    now,
    after(ms, callback) {
      // Longer delays would wrap around and fire at once.
      const timer = setTimeout(callback, Math.min(ms, LONGEST_DELAY_MS))
      return () => clearTimeout(timer)
    },
  }
}

import type { Clock } from '@parley/core'

/** A clock for tests. Its time changes only with `advance`. */
export interface FakeClock extends Clock {
  /** Advances the time by `ms` milliseconds. Calls every callback that is due, in order, and lets promises settle in between. */
  advance(ms: number): Promise<void>
  /** Number of scheduled callbacks. */
  readonly pending: number
}

interface Timer {
  readonly due: number
  readonly order: number
  readonly callback: () => void
}

/** Creates a fake clock. @param start Milliseconds since the epoch. @default the beginning of 2026 */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new Set<Timer>()
  let now = start
  let order = 0

  function nextDue(until: number): Timer | undefined {
    const due = [...timers].filter(timer => timer.due <= until)
    return due.toSorted((a, b) => a.due - b.due || a.order - b.order)[0]
  }

  return {
    now: () => now,
    after(ms, callback) {
      const timer = { due: now + ms, order: order++, callback }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      await settle()
      const until = now + ms
      for (let timer = nextDue(until); timer !== undefined; timer = nextDue(until)) {
        now = timer.due
        timers.delete(timer)
        timer.callback()
        await settle()
      }
      now = until
      await settle()
    },
    get pending() {
      return timers.size
    },
  }
}

/** Lets all pending promise callbacks run. */
async function settle(): Promise<void> {
  await new Promise(resolve => setImmediate(resolve))
}

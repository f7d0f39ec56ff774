/** A source of time. The engine reads time only from its clock, so tests can replace it. */
export interface Clock {
  /** Returns the time in milliseconds since the epoch. */
  now(): number
  /**
   * Returns milliseconds since any moment, for durations within a process. Never runs back and never jumps, also when the machine's
   * time is set. @default `now`
   */
  monotonic?(): number
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
  monotonic: performance.now.bind(performance),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
}

/** The clock's milliseconds for durations within this process. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now()
}

/** A clock that begins at the time of another one and does not jump with it. For times that are compared with each other. */
export function steadyClock(clock: Clock): Clock {
  const { monotonic } = clock
  return monotonic === undefined ? clock : new SteadyClock(clock, monotonic.bind(clock))
}

class SteadyClock implements Clock {
  readonly monotonic: () => number
  readonly #clock: Clock
  readonly #offset: number

  constructor(clock: Clock, monotonic: () => number) {
    this.monotonic = monotonic
    this.#clock = clock
    this.#offset = clock.now() - monotonic()
  }

  now(): number {
    return Math.round(this.#offset + this.monotonic())
  }

  after(ms: number, callback: () => void): () => void {
    return this.#clock.after(ms, callback)
  }
}

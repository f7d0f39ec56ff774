import { afterOrAtExit } from './after-or-at-exit.ts'
import { monotonicTime } from './monotonic-time.ts'

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
  /**
   * Like `after`, but the timer does not keep the process alive. If the process ends first, the callback is called then.
   * @default `after`
   */
  afterOrAtExit?(ms: number, callback: () => void): () => void
}

/**
 * Longest delay of a timer, in milliseconds. For a delay that does not fit a signed 32-bit integer, `setTimeout` fires
 * immediately.
 */
const LONGEST_DELAY_MS = 0x7fffffff

/** The machine's clock. */
export const systemClock: Clock = {
  now: Date.now,
  monotonic: monotonicTime(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, LONGEST_DELAY_MS))
    return () => clearTimeout(timer)
  },
  afterOrAtExit,
}

/** Returns the clock's milliseconds for measuring durations within this process. */
export function monotonicNow(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now()
}

/**
 * Returns a clock that starts at the time of `clock` and does not jump when the machine's time is set. It is for times
 * that are compared with each other.
 */
export function createSteadyClock(clock: Clock): Clock {
  return clock.monotonic === undefined ? clock : new SteadyClock(clock)
}

/** A step of the machine's time that is at most this long counts as time that passed. */
const MOST_STEP_MS = 50

class SteadyClock implements Clock {
  readonly #clock: Clock
  readonly #offset: number
  /** The machine's time at the last call. */
  #wall: number
  /** Milliseconds that are added to the machine's time. */
  #correction = 0
  #latest: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#wall = clock.now()
    this.#latest = this.#wall
    this.#offset = this.#wall - this.monotonic()
  }

  monotonic(): number {
    return monotonicNow(this.#clock)
  }

  now(): number {
    const wall = this.#clock.now()
    const step = wall - this.#wall
    if (step === 0) return this.#latest
    this.#wall = wall
    // Each entry of a journal asks for the time, and monotonic time takes longer to read (bench: tricks steady-clock).
    if (step < 0 || step > MOST_STEP_MS) this.#correction = Math.round(this.#offset + this.monotonic()) - wall
    this.#latest = Math.max(this.#latest, wall + this.#correction)
    return this.#latest
  }

  after(ms: number, callback: () => void): () => void {
    return this.#clock.after(ms, callback)
  }
}

/** The wait that took too long. */
export type Deadline = 'connect' | 'first-byte' | 'idle' | 'total'

export interface DeadlineTimer {
  /** Starts the wait `name`, which may take `ms` milliseconds. Replaces the previous wait. */
  start(name: Deadline, ms: number): void
  /** Ends the current wait. Only the total deadline remains. */
  pause(): void
  /** Stops the timer. */
  stop(): void
}

export interface DeadlineTimerOptions {
  /** Milliseconds from now for all waits together. */
  readonly totalMs: number
  readonly onExpire: (name: Deadline, ms: number) => void
}

// `setTimeout` fires at once for a delay that does not fit a signed 32-bit integer.
const LONGEST_MS = 2_147_483_647

/**
 * Creates one timer for all waits of a call. Each chunk postpones the deadline, and restarting a timer takes longer than
 * decoding a small chunk, so a later deadline keeps the timer (bench: tricks one-timer).
 */
export function createDeadlineTimer({ totalMs, onExpire }: DeadlineTimerOptions): DeadlineTimer {
  const totalAt = performance.now() + totalMs
  let name: Deadline = 'total'
  let ms = totalMs
  let dueAt = totalAt
  let armedFor = Infinity
  let timer: ReturnType<typeof setTimeout> | undefined

  function arm(at: number): void {
    if (at === Infinity) return
    clearTimeout(timer)
    armedFor = at
    timer = setTimeout(check, Math.min(Math.max(at - performance.now(), 0), LONGEST_MS))
  }

  function check(): void {
    timer = undefined
    armedFor = Infinity
    // Timers may fire up to a millisecond early.
    if (performance.now() + 1 < dueAt) arm(dueAt)
    else onExpire(name, ms)
  }

  function due(at: number): void {
    dueAt = at
    if (at < armedFor) arm(at)
  }

  return {
    start(nextName, nextMs) {
      const at = performance.now() + nextMs
      const isTotal = at >= totalAt
      name = isTotal ? 'total' : nextName
      ms = isTotal ? totalMs : nextMs
      due(isTotal ? totalAt : at)
    },
    pause() {
      name = 'total'
      ms = totalMs
      due(totalAt)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

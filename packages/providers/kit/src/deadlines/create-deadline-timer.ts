/** Which wait took too long. */
export type Deadline = 'connect' | 'first-byte' | 'idle' | 'total'

export interface DeadlineTimer {
  /** From now on, the wait `name` may take `ms`. Replaces the wait before it. */
  start(name: Deadline, ms: number): void
  /** Nobody waits for the server now; only the total goes on. */
  pause(): void
  /** Ends it; nothing expires any more. */
  stop(): void
}

export interface DeadlineTimerOptions {
  /** Milliseconds from now for everything together. */
  readonly totalMs: number
  readonly onExpire: (name: Deadline, ms: number) => void
}

// The longest wait that timers take.
const LONGEST_MS = 2_147_483_647

/** One timer for all waits of a call: moving a deadline further away, as each chunk does, sets no timer. */
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

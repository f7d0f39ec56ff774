import { createDeadlineTimer, type Deadline, type DeadlineTimer } from './create-deadline-timer.ts'

/** Why a call stops waiting. The first cause counts. */
export type Stop =
  | { readonly kind: 'abort'; readonly reason: unknown }
  | { readonly kind: 'left' }
  | { readonly kind: 'deadline'; readonly deadline: Deadline; readonly ms: number }

/** Combines everything that can stop a call: its abort signal, its reader and its deadlines. */
export interface CallScope {
  readonly timer: DeadlineTimer
  /** Returns why the call stopped waiting. `undefined` while it waits. */
  stop(): Stop | undefined
  /** Begins an attempt or wait. Forgets a deadline that ended the previous one. Calls `onStop` when this one must end. */
  begin(onStop: (stop: Stop) => void): void
  /** Stops the call because its reader has left. */
  leave(): void
  /** Ends the scope: stops the timer and removes the listener of the signal. */
  close(): void
}

export interface CallScopeOptions {
  readonly totalMs: number
  readonly signal: AbortSignal | undefined
  /** Called when the signal is aborted. */
  readonly onAbort: () => void
}

export function createCallScope({ totalMs, signal, onAbort }: CallScopeOptions): CallScope {
  let stop: Stop | undefined
  let onStop: ((stop: Stop) => void) | undefined

  function halt(next: Stop): void {
    if (stop !== undefined) return
    stop = next
    onStop?.(next)
  }

  const abort = (): void => {
    halt({ kind: 'abort', reason: signal?.reason })
    onAbort()
  }
  const timer = createDeadlineTimer({
    totalMs,
    onExpire: (deadline, ms) => halt({ kind: 'deadline', deadline, ms }),
  })
  signal?.addEventListener('abort', abort, { once: true })

  return {
    timer,
    stop: () => stop,
    begin(listener) {
      if (stop?.kind === 'deadline' && stop.deadline !== 'total') stop = undefined
      onStop = listener
      if (stop !== undefined) listener(stop)
    },
    leave: () => halt({ kind: 'left' }),
    close() {
      onStop = undefined
      timer.stop()
      signal?.removeEventListener('abort', abort)
    },
  }
}

import { createDeadlineTimer, type Deadline, type DeadlineTimer } from './create-deadline-timer.ts'

/** Why a call must stop waiting. The first cause counts. */
export type Stop =
  | { readonly kind: 'abort'; readonly reason: unknown }
  | { readonly kind: 'left' }
  | { readonly kind: 'deadline'; readonly deadline: Deadline; readonly ms: number }

/** The one place where a call's abort signal, its reader and its deadlines meet. */
export interface CallScope {
  readonly timer: DeadlineTimer
  readonly stop: Stop | undefined
  /** A new attempt or wait begins: forgets a deadline that ended the one before, and calls `onStop` when it must end. */
  begin(onStop: (stop: Stop) => void): void
  /** The reader is gone. */
  leave(): void
  close(): void
}

export interface CallScopeOptions {
  readonly totalMs: number
  readonly signal: AbortSignal | undefined
  /** Called when the signal is aborted. */
  readonly onAbort: () => void
}

export function createCallScope({ totalMs, signal, onAbort: told }: CallScopeOptions): CallScope {
  let stop: Stop | undefined
  let onStop: ((stop: Stop) => void) | undefined

  function halt(next: Stop): void {
    if (stop !== undefined) return
    stop = next
    onStop?.(next)
  }

  const onAbort = (): void => {
    halt({ kind: 'abort', reason: signal?.reason })
    told()
  }
  const timer = createDeadlineTimer({
    totalMs,
    onExpire: (deadline, ms) => halt({ kind: 'deadline', deadline, ms }),
  })
  signal?.addEventListener('abort', onAbort, { once: true })

  return {
    timer,
    get stop() {
      return stop
    },
    begin(listener) {
      if (stop?.kind === 'deadline' && stop.deadline !== 'total') stop = undefined
      onStop = listener
      if (stop !== undefined) listener(stop)
    },
    leave: () => halt({ kind: 'left' }),
    close() {
      onStop = undefined
      timer.stop()
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

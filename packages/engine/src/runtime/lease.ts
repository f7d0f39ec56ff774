import { monotonicNow, type Clock, type Store } from '@parley/core'

export interface LeaseOptions {
  readonly store: Store
  readonly worker: string
  readonly clock: Clock
  /** Milliseconds that claims last after the last heartbeat. */
  readonly leaseMs: number
}

/** Keeps a worker's claims alive while it drives runs. */
export interface Lease {
  /** Resolves when the store has a recent heartbeat of this worker, so that its next claims are respected. */
  alive(): Promise<void>
  /** Sends heartbeats while a run is driven. Returns a function to call once when it is no longer driven. */
  hold(): () => void
  close(): void
}

/** Sends one heartbeat for all runs of a worker, three times per lease. Sends none while no run is driven. */
export function createLease({ store, worker, clock, leaseMs }: LeaseOptions): Lease {
  /** Number of the runs that are driven. */
  let held = 0
  let callOff: (() => void) | undefined
  let lastBeat = -Infinity

  function beat(): void {
    callOff = undefined
    if (held === 0) return
    lastBeat = monotonicNow(clock)
    // A failed heartbeat proves nothing: the next append finds out whether the store or the claim is lost.
    store.heartbeat({ worker, at: clock.now(), ttlMs: leaseMs }).catch(() => {})
    callOff = clock.after(leaseMs / 3, beat)
  }

  return {
    async alive() {
      const started = monotonicNow(clock)
      if (lastBeat > started - leaseMs / 3) return
      await store.heartbeat({ worker, at: clock.now(), ttlMs: leaseMs })
      lastBeat = started
    },
    hold() {
      held++
      if (callOff === undefined) {
        const due = lastBeat + leaseMs / 3 - monotonicNow(clock)
        if (due <= 0) beat()
        else callOff = clock.after(due, beat)
      }
      return () => {
        if (--held > 0) return
        callOff?.()
        callOff = undefined
      }
    },
    close() {
      callOff?.()
      callOff = undefined
    },
  }
}

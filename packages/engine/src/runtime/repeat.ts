import type { Clock } from '@parley/core'

/** Calls `sweep` at once and then periodically, one call at a time. Returns a function that stops it. */
export function repeat(clock: Clock, everyMs: number, sweep: () => Promise<unknown>): () => void {
  let stopped = false
  const go = (): void => {
    const again = (): void => {
      if (!stopped) callOff = clock.after(everyMs, go)
    }
    // The store may work again at the next sweep; `health` reports the failure.
    sweep().then(again, again)
  }
  let callOff = clock.after(0, go)
  return () => {
    stopped = true
    callOff()
  }
}

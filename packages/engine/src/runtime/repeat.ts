import type { Clock } from '@parley/core'

/** Calls `sweep` at once and then again and again, one at a time. Returns the way to stop. */
export function repeat(clock: Clock, everyMs: number, sweep: () => Promise<unknown>): () => void {
  let stopped = false
  const go = (): void => {
    const again = (): void => {
      if (!stopped) callOff = clock.after(everyMs, go)
    }
    // A store that fails now may serve the next one; `health` tells of it.
    sweep().then(again, again)
  }
  let callOff = clock.after(0, go)
  return () => {
    stopped = true
    callOff()
  }
}

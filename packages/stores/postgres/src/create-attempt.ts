import { setTimeout as sleep } from 'node:timers/promises'
import { ParleyError } from '@parley/core'
import { isPassing, toStoreError } from './to-store-error.ts'

const LONGEST_PAUSE_MS = 500

/** Runs a call until the server serves it, and turns what PostgreSQL throws into a `ParleyError` where it was foreseen. */
export type Attempt = <TResult>(call: () => Promise<TResult>) => Promise<TResult>

export interface AttemptOptions {
  /** The store, for errors. */
  readonly name: string
  readonly waitMs: number
}

/** How a store's calls outlast a server that restarts, a lost connection or a deadlock. */
export function createAttempt({ name, waitMs }: AttemptOptions): Attempt {
  return async call => {
    const until = performance.now() + waitMs
    for (let pause = 10; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await call()
      } catch (error) {
        if (ParleyError.is(error)) throw error
        const left = until - performance.now()
        if (!isPassing(error) || left <= 0) throw toStoreError(error, { name, waitMs })
        await sleep(Math.min(pause, left))
      }
    }
  }
}

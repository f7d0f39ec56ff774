import { setTimeout as sleep } from 'node:timers/promises'
import { ParleyError } from '@parley/core'
import type { Attempt } from '@parley/store-sql'
import { isTemporary, toStoreError } from './to-store-error.ts'

const LONGEST_PAUSE_MS = 500

export interface AttemptOptions {
  /** Name of the store, for errors. */
  readonly name: string
  /** Milliseconds for which a call that failed temporarily is repeated. */
  readonly waitMs: number
}

/**
 * Creates a function that repeats a call after a temporary failure: a restart of the server, a lost connection, a deadlock. It
 * converts the errors of PostgreSQL to `ParleyError`.
 */
export function retryTemporaryFailures({ name, waitMs }: AttemptOptions): Attempt {
  return async (call, signal) => {
    const until = performance.now() + waitMs
    for (let pause = 10; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await call()
      } catch (error) {
        if (ParleyError.is(error)) throw error
        const left = until - performance.now()
        if (!isTemporary(error) || left <= 0) throw toStoreError(error, { name, waitMs })
        await sleep(Math.min(pause, left))
        signal?.throwIfAborted()
      }
    }
  }
}

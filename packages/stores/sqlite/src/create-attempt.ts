import { setTimeout as sleep } from 'node:timers/promises'
import { ParleyError } from '@parley/core'
import { toStoreError } from './to-store-error.ts'

const LONGEST_PAUSE_MS = 25

/** Runs a call until the file is free, and turns what SQLite throws into a `ParleyError` where it was foreseen. */
export type Attempt = <TResult>(call: () => Promise<TResult>) => Promise<TResult>

export interface AttemptOptions {
  /** The store, for errors. */
  readonly name: string
  readonly busyTimeoutMs: number
}

/** How a store's calls wait for their turn at the file while the process goes on with other work. */
export function createAttempt({ name, busyTimeoutMs }: AttemptOptions): Attempt {
  return async call => {
    let waited = 0
    for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await call()
      } catch (error) {
        if (ParleyError.is(error)) throw error
        if (!isBusy(error) || waited >= busyTimeoutMs) throw toStoreError(error, { name, busyTimeoutMs })
      }
      const ms = Math.min(pause, busyTimeoutMs - waited)
      await sleep(ms)
      waited += ms
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

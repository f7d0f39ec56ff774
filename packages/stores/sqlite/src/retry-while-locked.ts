import { setTimeout as sleep } from 'node:timers/promises'
import { ParleyError } from '@parley/core'
import type { Attempt } from '@parley/store-sql'
import { toStoreError } from './to-store-error.ts'

const LONGEST_PAUSE_MS = 25

export interface AttemptOptions {
  /** Name of the store, for errors. */
  readonly name: string
  /** Milliseconds until a call fails because another process keeps the file locked. */
  readonly busyTimeoutMs: number
}

/**
 * Creates a function that repeats a call while another process locks the file. It waits without blocking this process, and converts
 * the errors of SQLite to `ParleyError`.
 */
export function retryWhileLocked({ name, busyTimeoutMs }: AttemptOptions): Attempt {
  return async (call, signal) => {
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
      signal?.throwIfAborted()
      waited += ms
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

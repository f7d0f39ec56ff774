import { ParleyError, type StoreCallOptions } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'

/**
 * Runs one call of the store. Stops the call when its signal is aborted, converts its errors, and rejects it after the
 * store is closed.
 */
export type Guard = <TResult>(call: () => Promise<TResult>, options?: StoreCallOptions) => Promise<TResult>

/** The values that every part of an SQL store needs. */
export interface StorePart {
  /** Name of the store, for errors. */
  readonly name: string
  readonly db: Kysely<StoreTables>
  readonly guard: Guard
}

/** Parses a JSON column. @param place Store and row, for errors. @throws ParleyError `store-corrupt` if the text is not JSON. */
export function parseColumn<TValue>(text: string, place: string): TValue {
  try {
    return JSON.parse(text) as TValue
  } catch (cause) {
    throw new ParleyError({ code: 'store-corrupt', store: place, detail: 'it is not JSON' }, { cause })
  }
}

/**
 * Opens a watch with the error handling of store calls. A watch that opens after the signal was aborted is closed
 * again.
 */
export function openWatch(
  guard: Guard,
  open: () => Promise<AsyncDisposable>,
  options: StoreCallOptions | undefined,
): Promise<AsyncDisposable> {
  return guard(async () => {
    const watch = await open()
    if (options?.signal?.aborted !== true) return watch
    await watch[Symbol.asyncDispose]()
    throw options.signal.reason
  }, options)
}

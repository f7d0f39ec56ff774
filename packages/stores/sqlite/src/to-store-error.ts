import { ParleyError } from '@parley/core'

export interface StoreErrorOptions {
  /** Name of the store, for errors. */
  readonly name: string
  readonly busyTimeoutMs: number
}

/** Converts an error of SQLite or the file system to a `ParleyError` that says what to do. Returns an unknown error unchanged. */
export function toStoreError(error: unknown, { name, busyTimeoutMs }: StoreErrorOptions): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const corrupt = CORRUPT.find(([prefix]) => code.startsWith(prefix))
  if (corrupt !== undefined) {
    const detail = `${corrupt[1]} (${error.message}).`
    return new ParleyError({ code: 'store-corrupt', store: name, detail }, { cause: error })
  }
  const cause = code.startsWith('SQLITE_BUSY')
    ? `another process has kept the file locked for ${busyTimeoutMs} ms`
    : (UNAVAILABLE.find(([prefix]) => code.startsWith(prefix))?.[1] ??
      (code.startsWith('SQLITE_') ? undefined : 'the path cannot be used'))
  if (cause === undefined) return error
  const detail = `${cause} (${error.message}).`
  return new ParleyError({ code: 'store-unavailable', store: name, detail }, { cause: error })
}

const CORRUPT: readonly (readonly [code: string, sentence: string])[] = [
  ['SQLITE_NOTADB', 'the file is not an SQLite database. Check the path, or restore the file from a copy'],
  ['SQLITE_CORRUPT', 'its content is inconsistent. Restore the file from a copy'],
  // The statements never change, so one that SQLite rejects means that the tables are different.
  ['SQLITE_ERROR', 'its tables are not those of a store. Restore the file from a copy'],
]

const UNAVAILABLE: readonly (readonly [code: string, sentence: string])[] = [
  ['SQLITE_FULL', 'the disk is full. The call was undone'],
  ['SQLITE_CANTOPEN', 'the file cannot be opened. Check the path and its permissions'],
  ['SQLITE_READONLY', 'the file is read-only. Check its permissions and those of its folder'],
  ['SQLITE_PERM', 'access to the file is denied. Check its permissions'],
  ['SQLITE_AUTH', 'access to the file is denied. Check its permissions'],
  ['SQLITE_IOERR', 'the disk failed'],
]

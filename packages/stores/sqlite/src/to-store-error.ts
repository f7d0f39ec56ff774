import { ParleyError } from '@parley/core'

export interface StoreErrorOptions {
  /** The store, for errors. */
  readonly name: string
  readonly busyTimeoutMs: number
}

/** What SQLite or the file system threw, as what the user can act on. What nobody foresaw stays as it is. */
export function toStoreError(error: unknown, { name, busyTimeoutMs }: StoreErrorOptions): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const corrupt = CORRUPT.find(([prefix]) => code.startsWith(prefix))
  if (corrupt !== undefined) {
    const detail = `${corrupt[1]} (${error.message}).`
    return new ParleyError({ code: 'store-corrupt', store: name, detail }, { cause: error })
  }
  const cause = code.startsWith('SQLITE_BUSY')
    ? `another process has kept it locked for ${busyTimeoutMs} ms`
    : (UNAVAILABLE.find(([prefix]) => code.startsWith(prefix))?.[1] ??
      (code.startsWith('SQLITE_') ? undefined : 'the path cannot be used'))
  if (cause === undefined) return error
  const detail = `${cause} (${error.message}).`
  return new ParleyError({ code: 'store-unavailable', store: name, detail }, { cause: error })
}

const CORRUPT: readonly (readonly [code: string, sentence: string])[] = [
  ['SQLITE_NOTADB', 'the file is no SQLite database. Check the path, or restore the file from a copy'],
  ['SQLITE_CORRUPT', 'its content is inconsistent. Restore the file from a copy'],
  // The statements are always the same: where one makes no sense, the tables are not what they were.
  ['SQLITE_ERROR', 'its tables are not those of a store. Restore the file from a copy'],
]

const UNAVAILABLE: readonly (readonly [code: string, sentence: string])[] = [
  ['SQLITE_FULL', 'the disk is full. Nothing of the failed call was kept'],
  ['SQLITE_CANTOPEN', 'the file cannot be opened. Check the path and its permissions'],
  ['SQLITE_READONLY', 'the file may not be written to. Check its permissions and those of its folder'],
  ['SQLITE_PERM', 'the file may not be used. Check its permissions'],
  ['SQLITE_AUTH', 'the file may not be used. Check its permissions'],
  ['SQLITE_IOERR', 'the disk failed'],
]

import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ParleyError } from '@parley/core'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import { enterLog } from './migrate-file.ts'

export interface OpenDatabaseOptions {
  readonly path: string
  readonly synchronous: 'normal' | 'full'
}

/** Opens or creates the file and its folders, in write-ahead mode. Throws what the file system and SQLite throw. */
export function openDatabase({ path, synchronous }: OpenDatabaseOptions): Database {
  if (path !== ':memory:') {
    mkdirSync(dirname(path), { recursive: true })
    const existing = statSync(path, { throwIfNoEntry: false })
    if (existing?.isDirectory() === true) {
      const detail = 'the path is a folder. Give the path of a file.'
      throw new ParleyError({ code: 'store-unavailable', store: path, detail })
    }
    // SQLite opens such a file without an error, and fails at the first write.
    if (existing !== undefined && !isWritable(path)) {
      const detail = 'the file is read-only. Check its permissions.'
      throw new ParleyError({ code: 'store-unavailable', store: path, detail })
    }
  }
  // SQLite's own waiting would block the process; `retryWhileLocked` waits instead.
  const database = new SqliteDatabase(path, { timeout: 0 })
  try {
    enterLog(database)
    database.pragma(`synchronous = ${synchronous}`)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

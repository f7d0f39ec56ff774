import { mkdir, rename, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import SqliteDatabase from 'better-sqlite3'
import { checkDatabase } from './check-database.ts'
import { retryWhileLocked } from './retry-while-locked.ts'

/** Options of `backUpSqliteStore`. */
export interface SqliteBackupOptions {
  /** Path of the store's file. */
  readonly path: string
  /** Path of the copy. Missing folders are created; the file must not exist. */
  readonly to: string
  /** Milliseconds to wait while another process locks the store. @default 5000 */
  readonly busyTimeoutMs?: number | undefined
}

const OPTIONS: OptionKinds<SqliteBackupOptions> = {
  path: 'string!',
  to: 'string!',
  busyTimeoutMs: 'number',
}

/**
 * Copies a store as it is at one moment, while other processes write to it. The copy is one file. It is checked before
 * it gets its final name, so a file with that name is complete. While it reads and writes, this function blocks its own
 * process, but not other processes.
 * @throws ParleyError `config-invalid` if `to` exists, `store-unavailable` if a file cannot be used, `store-corrupt` if
 * the store is damaged.
 */
export async function backUpSqliteStore(options: SqliteBackupOptions): Promise<void> {
  checkOptions('backUpSqliteStore', options, OPTIONS)
  const { path, to, busyTimeoutMs = 5_000 } = options
  if (existsSync(to))
    throw new ParleyError({ code: 'config-invalid', path: 'to', detail: `the file ${to} already exists` })
  const partial = `${to}.partial`
  const attempt = retryWhileLocked({ name: path, busyTimeoutMs })
  const source = await attempt(
    async () => new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 0 }),
  )
  try {
    await attempt(async () => {
      await mkdir(dirname(to), { recursive: true })
      await rm(partial, { force: true })
      source.prepare('vacuum into ?').run(partial)
    })
    await attempt(async () => check(partial, to))
    await rename(partial, to)
  } finally {
    source.close()
    await rm(partial, { force: true })
  }
}

function check(partial: string, name: string): void {
  const copy = new SqliteDatabase(partial, { readonly: true })
  try {
    checkDatabase(copy, { name })
  } finally {
    copy.close()
  }
}

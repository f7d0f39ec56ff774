import { ParleyError, type Store } from '@parley/core'
import {
  createSqlStore,
  migrateStore,
  needsMigration,
  type Attempt,
  type MigrationOptions,
  type StoreTables,
} from '@parley/store-sql'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import { createAnnouncer } from './create-announcer.ts'
import { createAppend } from './create-append.ts'
import { retryTemporaryFailures } from './retry-temporary-failures.ts'
import { createInboxNotices } from './create-inbox-notices.ts'
import { createServers, type Servers } from './create-servers.ts'
import { createWatch } from './create-watch.ts'
import { leaveReplicas } from './leave-replicas.ts'
import { openPool } from './open-pool.ts'

export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:port/database`; its password never appears in an error. Of several `host:port`, with commas between
   * them, the first that takes writes is used, and after a failover another one.
   */
  readonly url: string
  /** The schema that holds the tables, made when it is not there. @default 'public' */
  readonly schema?: string | undefined
  /** Most connections at once; further calls wait for one. @default 10 */
  readonly connections?: number | undefined
  /** Milliseconds a call waits for a connection, also for a server that is away for a moment. @default 30_000 */
  readonly waitMs?: number | undefined
  /** Milliseconds after which a statement is given up. @default 30_000 */
  readonly statementTimeoutMs?: number | undefined
}

/**
 * Opens a store in a PostgreSQL database, bringing an older one to the newest schema. Any number of processes on any
 * number of machines may share it. A call that finds the server gone waits for it up to `waitMs`, and an append is
 * written once however often its connection breaks. Opening waits for no server; of several it asks each once.
 * @throws ParleyError `config-invalid` for an address or a number that makes no sense, `store-unavailable` when the server
 * or the database cannot be reached, `store-newer` when a newer release wrote it, `store-corrupt` for tables of another shape.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, schema = 'public', connections = 10, waitMs = 30_000, statementTimeoutMs = 30_000 } = options
  checkNumbers({ connections, waitMs, statementTimeoutMs })
  const servers = createServers(url)
  const { name } = servers
  const pool = openPool({ servers, schema, connections, waitMs, statementTimeoutMs })
  try {
    const db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: leaveReplicas(pool, servers) }) })
    const opening = retryTemporaryFailures({ name, waitMs: 0 })
    await opening(() => prepare(db, { name, schema }))
    return storeOver({ pool, db, name, attempt: retryTemporaryFailures({ name, waitMs }), servers, schema })
  } catch (error) {
    await pool.end()
    throw error
  }
}

interface StoreParts {
  readonly pool: Pool
  readonly db: Kysely<StoreTables>
  readonly name: string
  readonly attempt: Attempt
  readonly servers: Servers
  readonly schema: string
}

function storeOver({ pool, db, name, attempt, servers, schema }: StoreParts): Store {
  const announcer = createAnnouncer({ pool, schema, channel: 'parley' })
  const watching = createWatch({ servers, schema, channel: 'parley' })
  const inbox = createInboxNotices({ pool, servers, schema })
  const append = createAppend(db)
  return createSqlStore({
    name,
    db,
    attempt,
    append: async journal => {
      await append(journal)
      announcer.announce(journal.runId)
    },
    watch: watching.watch,
    inboxSignals: inbox.signals,
    close: async () => {
      await announcer.close()
      await watching.close()
      await inbox.close()
      await pool.end()
    },
  })
}

/** Compares by code points, as every other store does, whatever the language of the database. */
const textType = sql`text collate "C"`

async function prepare(db: Kysely<StoreTables>, { name, schema = 'public' }: MigrationOptions): Promise<void> {
  if (schema !== 'public') await makeSchema(db, schema)
  if (await needsMigration(db, { name, schema })) await migrateStore(db, { name, schema, textType })
  // Tables of another shape show here, and not in the middle of a run.
  await db.selectFrom('runs').selectAll().limit(0).execute()
}

/** SQLSTATEs of a schema that somebody else has made at the same moment: `if not exists` looks before it writes. */
const MADE_MEANWHILE: readonly unknown[] = ['23505', '42P06']

async function makeSchema(db: Kysely<StoreTables>, schema: string): Promise<void> {
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && MADE_MEANWHILE.includes(error.code))) throw error
  }
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [path, value] of Object.entries(numbers)) {
    const smallest = path === 'waitMs' ? 0 : 1
    if (Number.isInteger(value) && value >= smallest) continue
    const detail = `it is ${value}, and has to be a whole number of at least ${smallest}`
    throw new ParleyError({ code: 'config-invalid', path, detail })
  }
}

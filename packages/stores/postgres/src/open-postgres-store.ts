import { checkOptions, checkNumber, type Store, type OptionKinds } from '@parley/core'
import { createSqlStore, migrateStore, needsMigration, type Attempt, type StoreTables } from '@parley/store-sql'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import { createAnnouncer } from './create-announcer.ts'
import { createAppend } from './create-append.ts'
import { retryTemporaryFailures } from './retry-temporary-failures.ts'
import { createInboxNotices } from './create-inbox-notices.ts'
import { createServers, type Servers } from './create-servers.ts'
import { createWatch } from './create-watch.ts'
import { leaveReplicas, type StorePool } from './leave-replicas.ts'
import { openPool, type PoolOptions } from './open-pool.ts'

/** Options of `openPostgresStore`. */
export interface PostgresStoreOptions {
  /**
   * Address of the database: `postgres://user:password@host:port/database`. Errors never contain the password. With
   * several `host:port`, separated by commas, the store uses the first server that accepts writes, and another one
   * after a failover.
   */
  readonly url: string
  /** Schema of the tables. It is created if it is missing. @default 'public' */
  readonly schema?: string | undefined
  /** Largest number of connections. Further calls wait for a free connection. @default 10 */
  readonly connections?: number | undefined
  /** Milliseconds that a call waits for a connection or an unavailable server. @default 30_000 */
  readonly waitMs?: number | undefined
  /** Milliseconds after which a statement is cancelled. @default 30_000 */
  readonly statementTimeoutMs?: number | undefined
}

const OPTIONS: OptionKinds<PostgresStoreOptions> = {
  url: 'string!',
  schema: 'string',
  connections: 'number',
  waitMs: 'number',
  statementTimeoutMs: 'number',
}

/**
 * Opens a store in a PostgreSQL database, and migrates an older one to the newest schema. Any number of processes and
 * machines may share it. If the server is unavailable, a call waits for it up to `waitMs`. An append is written once,
 * even if its connection breaks. Opening tries each server once and does not wait.
 * @throws ParleyError `config-invalid` if the address or a number is invalid.
 * @throws ParleyError `store-unavailable` if the server or the database cannot be reached.
 * @throws ParleyError `store-newer` if a newer release wrote the tables, `store-corrupt` if they are not those of a store.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  checkOptions('openPostgresStore', options, OPTIONS)
  const { url, schema = 'public', connections = 10, waitMs = 30_000, statementTimeoutMs = 30_000 } = options
  checkNumbers({ connections, waitMs, statementTimeoutMs })
  const servers = createServers(url)
  const { name } = servers
  const pool = openPool({ servers, schema, connections, waitMs, statementTimeoutMs })
  try {
    const primary = leaveReplicas(pool, servers)
    const db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: primary }) })
    const opening = retryTemporaryFailures({ name, waitMs: 0 })
    await opening(() => prepare(db, { name, schema, servers, waitMs }))
    return storeOver({ pool, primary, db, name, attempt: retryTemporaryFailures({ name, waitMs }), servers, schema })
  } catch (error) {
    await pool.end()
    throw error
  }
}

interface StoreParts {
  readonly pool: Pool
  readonly primary: StorePool
  readonly db: Kysely<StoreTables>
  readonly name: string
  readonly attempt: Attempt
  readonly servers: Servers
  readonly schema: string
}

function storeOver({ pool, primary, db, name, attempt, servers, schema }: StoreParts): Store {
  const announcer = createAnnouncer({ pool, schema, channel: 'parley' })
  const watching = createWatch({ servers, schema, channel: 'parley' })
  const inbox = createInboxNotices({ pool, servers, schema })
  const append = createAppend(db, primary)
  return createSqlStore({
    name,
    db,
    attempt,
    updatesRuns: true,
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

/** Type of text that is compared by code points, as in every other store. The database's locale has no effect on it. */
const textType = sql`text collate "C"`

/** A row of `runs` has some hundreds of bytes, so a page has room for the next versions of two or more. */
const updateSpace = sql`set (fillfactor = 80)`

interface PrepareOptions extends Pick<PoolOptions, 'servers' | 'schema' | 'waitMs'> {
  readonly name: string
}

async function prepare(db: Kysely<StoreTables>, options: PrepareOptions): Promise<void> {
  const { name, schema } = options
  if (schema !== 'public') await createSchema(db, schema)
  if (await needsMigration(db, { name, schema })) await migrate(options)
  // Fails here, instead of within a run, if the tables are not those of a store.
  await db.selectFrom('runs').selectAll().limit(0).execute()
}

/** Migrates on a connection without a time limit for statements: an index of some million rows takes longer than any other statement. */
async function migrate({ name, schema, servers, waitMs }: PrepareOptions): Promise<void> {
  const pool = openPool({ servers, schema, connections: 1, waitMs, statementTimeoutMs: 0 })
  const db = new Kysely<StoreTables>({ dialect: new PostgresDialect({ pool: leaveReplicas(pool, servers) }) })
  try {
    await migrateStore(db, { name, schema, textType, updateSpace, indexIncludes: true })
  } finally {
    await pool.end()
  }
}

/**
 * SQLSTATEs of a statement that fails because another process creates the schema at the same time. `if not exists` does
 * not prevent this: it checks before it writes.
 */
const CREATED_CONCURRENTLY: readonly unknown[] = ['23505', '42P06']

async function createSchema(db: Kysely<StoreTables>, schema: string): Promise<void> {
  try {
    await sql`create schema if not exists ${sql.id(schema)}`.execute(db)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CREATED_CONCURRENTLY.includes(error.code))) throw error
  }
}

function checkNumbers(numbers: Readonly<Record<string, number>>): void {
  for (const [path, value] of Object.entries(numbers)) {
    checkNumber({ path, value, min: path === 'waitMs' ? 0 : 1, whole: true })
  }
}

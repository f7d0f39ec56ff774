import { ParleyError, checkOptions, type OptionKinds } from '@parley/core'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { storeMigrations } from './store-migrations.ts'
import type { TextType } from './store-tables.ts'

const MIGRATION_TABLE = 'parley_migration'
const LOCK = { lockTable: `${MIGRATION_TABLE}_lock`, lockRowId: 'migration_lock' }

/** Options of `migrateStore` and `needsMigration`. */
export interface MigrationOptions {
  /** Name of the store, for errors. */
  readonly name: string
  /** Schema that contains the tables, if the database has several. @default any schema */
  readonly schema?: string | undefined
  /** Type of the columns by which runs are found and ordered. It must compare by code points. @default 'text' */
  readonly textType?: TextType | undefined
  /** Clause at the end of `create table` that stores small rows in the order of their key. Schemas before 0010 used it for appends too. @default none */
  readonly keyOrder?: RawBuilder<unknown> | undefined
  /** Whether appends are stored under the number of their run. For SQLite, whose store then finds them by `appendKeys`. @default false */
  readonly runNumbers?: boolean | undefined
  /** Clause of `alter table runs` that leaves room on each page for the next version of a row, for a database that writes versions. @default none */
  readonly updateSpace?: RawBuilder<unknown> | undefined
  /** Whether the database has indexes with `include`, and finds the marks of words in them instead of the table. @default false */
  readonly indexIncludes?: boolean | undefined
}

const OPTIONS: OptionKinds<MigrationOptions> = {
  name: 'string!',
  schema: 'string',
  textType: 'any',
  keyOrder: 'any',
  runNumbers: 'boolean',
  updateSpace: 'any',
  indexIncludes: 'boolean',
}

/**
 * Returns whether the database lacks migrations of this release. Changes nothing.
 * @throws ParleyError `store-newer` if the database has a migration that this release does not know.
 */
export async function needsMigration<TTables>(db: Kysely<TTables>, options: MigrationOptions): Promise<boolean> {
  checkOptions('migrateStore', options, OPTIONS)
  const { name, schema } = options
  const applied = await appliedMigrations(db, schema)
  const known = Object.keys(storeMigrations('text'))
  const unknown = applied.findLast(migration => !known.includes(migration))
  if (unknown !== undefined) {
    throw new ParleyError({ code: 'store-newer', store: name, found: unknown, known: known.at(-1) ?? 'none' })
  }
  return applied.length < known.length
}

/**
 * Applies the missing migrations. If the database has no transactional DDL, the caller must hold a lock against other processes.
 * @throws ParleyError `store-newer`, as `needsMigration`.
 * @throws The errors of the driver unchanged.
 */
export async function migrateStore<TTables>(db: Kysely<TTables>, options: MigrationOptions): Promise<void> {
  if (!(await needsMigration(db, options))) return
  if (db.isTransaction) return applyMissing(db, options)
  const { adapter } = db.getExecutor()
  await db.connection().execute(async connection => {
    await adapter.acquireMigrationLock(connection, LOCK)
    try {
      if (!adapter.supportsTransactionalDdl) await applyMissing(connection, options)
      else await connection.transaction().execute(transaction => applyMissing(transaction, options))
    } finally {
      await adapter.releaseMigrationLock(connection, LOCK)
    }
  })
}

/**
 * Applies the missing migrations, one after the other. The migrator of Kysely would read the columns of every schema of the
 * database several times, which takes longer than the migrations, and on PostgreSQL fails if another client drops a schema.
 */
async function applyMissing<TTables>(db: Kysely<TTables>, options: MigrationOptions): Promise<void> {
  const {
    schema,
    textType = 'text',
    keyOrder,
    runNumbers: isNumbered,
    updateSpace,
    indexIncludes: hasIncludes,
  } = options
  // Another process may have migrated the database before this one had the lock.
  const applied = await appliedMigrations(db, schema)
  if (applied.length === 0) await createMigrationTables(db)
  const migrations = storeMigrations(textType, { keyOrder, isNumbered, updateSpace, hasIncludes })
  for (const [name, migration] of Object.entries(migrations)) {
    if (applied.includes(name)) continue
    await migration.up(db)
    await sql`insert into ${sql.table(MIGRATION_TABLE)} (name, timestamp) values (${name}, current_timestamp)`.execute(
      db,
    )
  }
}

/** Creates the tables in which Kysely's migrator, which earlier releases used, keeps what it has done. */
async function createMigrationTables<TTables>(db: Kysely<TTables>): Promise<void> {
  await db.schema
    .createTable(MIGRATION_TABLE)
    .ifNotExists()
    .addColumn('name', 'varchar(255)', column => column.notNull().primaryKey())
    .addColumn('timestamp', 'varchar(255)', column => column.notNull())
    .execute()
  await db.schema
    .createTable(LOCK.lockTable)
    .ifNotExists()
    .addColumn('id', 'varchar(255)', column => column.notNull().primaryKey())
    .addColumn('is_locked', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}

async function appliedMigrations<TTables>(db: Kysely<TTables>, schema: string | undefined): Promise<readonly string[]> {
  if (!(await hasMigrationTable(db, schema))) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(row => row.name)
}

async function hasMigrationTable<TTables>(db: Kysely<TTables>, schema: string | undefined): Promise<boolean> {
  if (schema === undefined) {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    return tables.some(({ name }) => name === MIGRATION_TABLE)
  }
  // The introspection of Kysely asks for the columns of every schema, and fails on PostgreSQL if another client drops one of them.
  const { rows } = await sql`
    select 1 from information_schema.tables where table_schema = ${schema} and table_name = ${MIGRATION_TABLE}`.execute(
    db,
  )
  return rows.length > 0
}

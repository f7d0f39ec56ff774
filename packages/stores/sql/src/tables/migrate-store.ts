import { ParleyError, checkOptions, type OptionKinds } from '@parley/core'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { storeMigrations } from './store-migrations.ts'
import type { TextType } from './store-tables.ts'

const MIGRATION_TABLE = 'parley_migration'

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
}

const OPTIONS: OptionKinds<MigrationOptions> = {
  name: 'string!',
  schema: 'string',
  textType: 'any',
  keyOrder: 'any',
  runNumbers: 'boolean',
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
  // Imported here, because a database rarely needs a migration.
  const { Migrator } = await import('kysely/migration')
  const { schema, textType = 'text', keyOrder, runNumbers: isNumbered } = options
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => storeMigrations(textType, { keyOrder, isNumbered }) },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
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

import { ParleyError } from '@parley/core'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { storeMigrations } from './store-migrations.ts'
import type { TextType } from './text-type.ts'

const MIGRATION_TABLE = 'parley_migration'

export interface MigrationOptions {
  /** The store, for errors. */
  readonly name: string
  /** The schema its tables are in, where a database has several. @default whichever has them */
  readonly schema?: string | undefined
  /** Type of the columns that runs are found and ordered by; it has to compare by code points. @default 'text' */
  readonly textType?: TextType | undefined
  /** What tells the database, at the end of `create table`, to lay rows out in the order of their key. @default nothing */
  readonly keyOrder?: RawBuilder<unknown> | undefined
}

/**
 * Whether the database lacks a schema that this release knows. Changes nothing.
 * @throws ParleyError `store-newer` when it has one that this release does not know.
 */
export async function needsMigration<TTables>(
  db: Kysely<TTables>,
  { name, schema }: MigrationOptions,
): Promise<boolean> {
  const applied = await appliedMigrations(db, schema)
  const known = Object.keys(storeMigrations('text'))
  const unknown = applied.findLast(migration => !known.includes(migration))
  if (unknown !== undefined) {
    throw new ParleyError({ code: 'store-newer', store: name, found: unknown, known: known.at(-1) ?? 'none' })
  }
  return applied.length < known.length
}

/**
 * Brings the database to the newest schema. Forward only; a database that is there already stays untouched.
 * Where the database has no transactional DDL, the caller holds the lock against other processes.
 * @throws ParleyError `store-newer` as `needsMigration` does; what the driver throws as it is.
 */
export async function migrateStore<TTables>(db: Kysely<TTables>, options: MigrationOptions): Promise<void> {
  if (!(await needsMigration(db, options))) return
  // Only here, because most openings find nothing to do.
  const { Migrator } = await import('kysely/migration')
  const { schema, textType = 'text', keyOrder } = options
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => storeMigrations(textType, keyOrder) },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function appliedMigrations<TTables>(db: Kysely<TTables>, schema: string | undefined): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  const made = tables.some(({ name, schema: at }) => name === MIGRATION_TABLE && (schema ?? at) === at)
  if (!made) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(row => row.name)
}

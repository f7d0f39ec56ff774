import { ParleyError } from '@parley/core'
import { sql, type Kysely } from 'kysely'
import { storeMigrations } from './store-migrations.ts'

const MIGRATION_TABLE = 'parley_migration'

export interface MigrationOptions {
  /** The store, for errors. */
  readonly name: string
}

/**
 * Whether the database lacks a schema that this release knows. Changes nothing.
 * @throws ParleyError `store-newer` when it has one that this release does not know.
 */
export async function needsMigration<TTables>(db: Kysely<TTables>, { name }: MigrationOptions): Promise<boolean> {
  const applied = await appliedMigrations(db)
  const known = Object.keys(storeMigrations)
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
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => storeMigrations },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function appliedMigrations<TTables>(db: Kysely<TTables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(table => table.name === MIGRATION_TABLE)) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(MIGRATION_TABLE)} order by name`.execute(db)
  return rows.map(row => row.name)
}

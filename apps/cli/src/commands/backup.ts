import { resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { isPostgres } from '../store/database.ts'
import { checkDatabaseFile } from '../store/open-store.ts'

/** Defines the command `parley backup FILE`. */
export function defineBackupCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Copies a consistent snapshot of the SQLite database to a new file, even while runs write to it. Checks the copy. ' +
        'Other commands read the copy with --db.',
    )
    .argument('<file>', 'path of the copy')
  withDatabaseFlag(command).action(async (file: string, { db }: { db: string }) => {
    if (isPostgres(db)) {
      const detail = 'must be a SQLite file; use pg_dump for PostgreSQL'
      throw new ParleyError({ code: 'config-invalid', path: '--db', detail })
    }
    checkDatabaseFile(db)
    const { backUpSqliteStore } = await import('@parley/sqlite')
    await backUpSqliteStore({ path: resolve(db), to: resolve(file) })
    terminal.out(`Copied ${db} to ${file}.\n`)
  })
  withExamples(command, [['backup copy.db', 'copies the default database']])
}

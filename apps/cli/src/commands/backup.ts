import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ParleyError } from '@parley/core'
import { backUpSqliteStore } from '@parley/sqlite'
import type { Command } from 'commander'
import { withDatabase } from '../flags/agent-flags.ts'
import { isPostgres } from '../store/is-postgres.ts'
import type { Terminal } from '../render/terminal.ts'

/** `parley backup FILE` */
export function addBackupCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('backup')
    .summary('copy the database while it is used')
    .description(
      'Copies the database to a new file as it is at one moment, while runs go on. The copy is checked; any command ' +
        'takes it with --db.',
    )
    .argument('<file>', 'the copy')
  withDatabase(command).action(async (file: string, { db }: { db: string }) => {
    if (isPostgres(db)) {
      const detail = 'PostgreSQL copies its databases itself: use pg_dump'
      throw new ParleyError({ code: 'config-invalid', path: '--db', detail })
    }
    const path = resolve(db)
    if (!existsSync(path))
      throw new ParleyError({ code: 'file-unreadable', path: db, detail: 'there is no such database' })
    await backUpSqliteStore({ path, to: resolve(file) })
    terminal.out(`Copied ${db} to ${file}.\n`)
  })
}

import { createRuntime } from '@parley/engine'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { toCount } from '../flags/option-values.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'

const DAY_MS = 86_400_000

/** Adds the command `parley gc`. */
export function addGcCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('gc')
    .summary('remove old runs')
    .description(
      'Removes old ended runs with their journals. Keeps unfinished runs, and every run that a remaining run continues.',
    )
  withDatabaseFlag(command)
    .option('--days <n>', 'minimum age in days of the runs to remove', (text: string) => toCount(text, '--days'), 30)
    .action(async ({ db, days }: { db: string; days: number }) => {
      await using store = await openExistingStore(db)
      const removed = await createRuntime({ store }).prune({ olderThanMs: days * DAY_MS })
      terminal.out(`Removed ${removed} ${removed === 1 ? 'run' : 'runs'}.\n`)
    })
}

import type { Command } from 'commander'
import { countOf } from '../render/count-of.ts'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { toCount } from '../flags/option-values.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'

const DAY_MS = 86_400_000

/** Defines the command `parley gc`. */
export function defineGcCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Removes old ended runs with their journals. Keeps unfinished runs, and every run that a remaining run continues.',
  )
  withDatabaseFlag(command)
    .option('--days <n>', 'minimum age in days of the runs to remove', (text: string) => toCount(text, '--days'), 30)
    .action(async ({ db, days }: { db: string; days: number }) => {
      const { createRuntime } = await import('@parley/engine')
      await using store = await openExistingStore(db)
      const removed = await createRuntime({ store }).prune({ olderThanMs: days * DAY_MS })
      terminal.out(`Removed ${countOf(removed, 'run')}.\n`)
    })
  withExamples(command, [['gc --days 90', 'removes runs that ended more than 90 days ago']])
}

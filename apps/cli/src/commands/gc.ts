import { createRuntime } from '@parley/engine'
import type { Command } from 'commander'
import { toCount, withDatabase } from '../flags/agent-flags.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import type { Terminal } from '../render/terminal.ts'

const DAY_MS = 86_400_000

/** `parley gc` */
export function addGcCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('gc')
    .summary('remove old runs')
    .description(
      'Removes runs that ended long ago, with their journals. Keeps what is unfinished, and everything that a remaining ' +
        'run goes on from.',
    )
  withDatabase(command)
    .option('--days <n>', 'age in days from which a run is removed', (text: string) => toCount(text, '--days'), 30)
    .action(async ({ db, days }: { db: string; days: number }) => {
      await using store = await openExistingStore(db)
      const removed = await createRuntime({ store }).prune({ olderThanMs: days * DAY_MS })
      terminal.out(`Removed ${removed} ${removed === 1 ? 'run' : 'runs'}.\n`)
    })
}

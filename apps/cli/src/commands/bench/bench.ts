import type { Command } from 'commander'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { toCount } from '../../flags/option-values.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import { openStore } from '../../store/open-store.ts'

interface BenchFlags {
  readonly db: string
  readonly seconds: number
  readonly concurrent: number
}

/** Defines the command `parley bench`. */
export function defineBenchCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Measures what the database carries on this machine, with runs whose model and tools take no time. Removes these runs at the end.',
  )
  withDatabaseFlag(command)
    .option('--seconds <n>', 'length of each of the two measurements', (text: string) => toCount(text, '--seconds'), 5)
    .option('--concurrent <n>', 'runs at the same time', (text: string) => toCount(text, '--concurrent'), 16)
    .action(async ({ db, seconds, concurrent }: BenchFlags) => {
      const { measureStore } = await import('./measure-store.ts')
      await using store = await openStore(db)
      const figures = await measureStore(store, { ms: seconds * 1_000, concurrent })
      const { turnsPerSecond, appendP50Ms, appendP99Ms, claimsPerSecond } = figures
      const rows = [
        ['durable turns per second', turnsPerSecond.toFixed(0)],
        ['append, median', `${appendP50Ms.toFixed(2)} ms`],
        ['append, 99th percentile', `${appendP99Ms.toFixed(2)} ms`],
        ['claims per second', claimsPerSecond.toFixed(0)],
      ] as const
      for (const [name, value] of rows) terminal.out(`${name.padEnd(26)}${value}\n`)
    })
  withExamples(command, [
    ['bench', 'measures the default database'],
    [
      'bench --db postgres://localhost/runs --concurrent 64',
      'measures a PostgreSQL database with 64 runs at the same time',
    ],
  ])
}

import { ParleyError } from '@parley/core'
import type { Command } from 'commander'
import { toCount } from '../../flags/option-values.ts'
import { withExamples } from '../../program/with-examples.ts'
import type { Terminal } from '../../render/terminal.ts'
import type { EvalFlags } from './eval-flags.ts'

/** Runs of evals are kept apart from other runs, which they would outnumber. */
const EVAL_DATABASE = '.parley/evals.db'

/** Defines the command `parley eval`. */
export function defineEvalCommand(command: Command, terminal: Terminal): void {
  command
    .description(
      'Runs the evals that files export: each value that defineEval of @parley/evals made. Prints the scores and keeps the result in ' +
        '.parley/evals/NAME/COMMIT.json. An eval that was interrupted continues, unless its code or its cases have changed. Exits with 1 ' +
        'if a case failed, could not be scored or was not run, or if --compare finds a score that is worse.',
    )
    .argument('[files...]', 'files with evals (default: every *.eval.ts below this folder)')
    .option('--filter <text>', 'only cases whose id contains the text')
    .option('--trials <n>', 'how often each case is tried', (text: string) => toCount(text, '--trials'))
    .option('--concurrency <n>', 'number of trials at the same time', (text: string) => toCount(text, '--concurrency'))
    .option('--max-cost <usd>', 'US dollars after which no further trial starts, for all evals together', toDollars)
    .option('--compare <commit|file>', 'compare with the kept result of a commit, or with the result in a file')
    .option('--html <file>', 'write a report for people')
    .option('--junit <file>', 'write a report for CI services')
    .option('--json', 'print each result as one line of JSON')
    .option('--fresh', 'begin again instead of continuing an interrupted eval')
    .option('--watch', 'run again when a file below this folder changes')
    .option('--db <place>', 'SQLite file or postgres:// address of the database with the runs', EVAL_DATABASE)
    .action(async (files: readonly string[], flags: EvalFlags) => {
      const { watchEvals } = await import('./watch-evals.ts')
      if (flags.watch === true) return watchEvals(terminal)
      const { runEvals } = await import('./run-evals.ts')
      process.exitCode = await runEvals(files, flags, terminal)
    })
  withExamples(command, [
    ['eval', 'runs every eval below this folder'],
    ['eval weather.eval.ts --filter bern --trials 5', 'runs some cases of one file five times'],
    ['eval --compare main --html report.html', 'compares with the result that is kept for main'],
  ])
}

function toDollars(text: string): number {
  const usd = Number(text)
  if (text.trim() !== '' && Number.isFinite(usd) && usd >= 0) return usd
  throw new ParleyError({
    code: 'config-invalid',
    path: '--max-cost',
    detail: `must be a number of dollars, not '${text}'`,
  })
}

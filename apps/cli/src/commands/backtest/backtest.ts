import { ParleyError, type Store } from '@parley/core'
import type { BacktestOptions, BacktestReport } from '@parley/evals/backtest'
import type { Command } from 'commander'
import { Option } from 'commander'
import { withConfigFlag } from '../../flags/agent-flags.ts'
import { withDatabaseFlag } from '../../flags/database-flag.ts'
import { toCount } from '../../flags/option-values.ts'
import { withExamples } from '../../program/with-examples.ts'
import { createProgressLine } from '../../render/progress-line.ts'
import type { Terminal } from '../../render/terminal.ts'
import { openExistingStore } from '../../store/open-store.ts'
import type { AgentSource } from './find-agents.ts'
import { toSince } from './since.ts'

interface BacktestFlags extends AgentSource {
  readonly db: string
  readonly since?: string
  readonly agent?: string
  readonly instructions?: string
  readonly limit?: number
  readonly allowRead?: boolean
  readonly json?: boolean
  readonly html?: string
}

/** Defines the command `parley backtest`. */
export function defineBacktestCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Repeats recorded runs with another model, other instructions or another configuration, and compares how they end. What ' +
      'tools returned, approvers decided and clients submitted comes from the journals. A run that asks for anything else ' +
      'stops there and counts as diverged: no tool runs. The database is only read. Exit code 1: a run is worse or has a ' +
      'damaged journal.',
  )
  withDatabaseFlag(withConfigFlag(command))
    .option('--agents <module>', 'module that exports the agents of the runs (default: as the runs were started)')
    .option('--agent <name>', 'only runs of this agent')
    .option('--since <age>', 'only runs that started in this time, for example 30d, 12h or 90m')
    .option('-m, --model <id>', 'the other model, as for `parley run`')
    .option('--base-url <url>', 'address of an OpenAI-compatible server')
    .option('--instructions <file>', 'file with the other instructions')
    .option('--allow-read', 'run tools with the effect read if history has no result')
    .addOption(
      new Option('--limit <n>', 'largest number of runs, newest first (default: 100)').argParser((text: string) =>
        toCount(text, '--limit'),
      ),
    )
    .option('--json', 'print the report as JSON')
    .option('--html <file>', 'write the report as a web page')
    .action(async (flags: BacktestFlags) => {
      process.exitCode = await runBacktest(flags, terminal)
    })
  withExamples(command, [
    ['backtest --since 30d --model anthropic/claude-sonnet-4-5', 'repeats the runs of a month with another model'],
    [
      'backtest --agent clerk --agents agents.ts --instructions brief.md',
      'repeats the runs of an agent with other instructions',
    ],
  ])
}

async function runBacktest(flags: BacktestFlags, terminal: Terminal): Promise<number> {
  const { db, since, agent, limit = 100, allowRead, json, html } = flags
  const startedSince = since === undefined ? undefined : Date.now() - toSince(since)
  const change = await changeOf(flags)
  await using store = await openExistingStore(db)
  const { findAgents } = await import('./find-agents.ts')
  await using agents = await findAgents(flags)
  const line = createProgressLine(terminal)
  const { backtest } = await import('@parley/evals/backtest')
  if (agent !== undefined) agents.check(agent)
  const report = await backtest({
    store: store satisfies Store,
    runs: { since: startedSince, agent, limit },
    agents: agents.of,
    change,
    allowRead,
    onProgress: ({ done, total }) => line.show(`${done} of ${total} runs`),
  }).finally(() => line.clear())
  const { renderBacktest, renderBacktestPage } = await import('./render-backtest.ts')
  if (html !== undefined) {
    const { writeFile } = await import('node:fs/promises')
    await writeFile(html, renderBacktestPage(report))
  }
  terminal.out(json === true ? `${JSON.stringify(report)}\n` : renderBacktest(report))
  return exitCodeOf(report)
}

function exitCodeOf({ counts, skipped }: BacktestReport): number {
  return counts.worse > 0 || skipped.some(({ isDamaged }) => isDamaged) ? 1 : 0
}

async function changeOf({
  model,
  baseUrl,
  instructions,
  config,
  agents,
}: BacktestFlags): Promise<BacktestOptions['change']> {
  if (model === undefined && instructions === undefined && config === undefined && agents === undefined) {
    const detail = 'name what changes: --model, --instructions, --config or --agents'
    throw new ParleyError({ code: 'config-invalid', path: 'backtest', detail })
  }
  const { chooseModel } = await import('../../compose/choose-model.ts')
  const { readTextFile } = await import('../../compose/read-text-file.ts')
  return {
    ...(model === undefined ? {} : { model: await chooseModel({ model, baseUrl }) }),
    ...(instructions === undefined ? {} : { instructions: await readTextFile(instructions) }),
  }
}

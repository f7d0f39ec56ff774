import { ParleyError, type RunRecord } from '@parley/core'
import type { Command } from 'commander'
import { toCount, withDatabase } from '../agent-flags.ts'
import { openExistingStore } from '../open-existing-store.ts'
import type { Terminal } from '../terminal.ts'

const STATUSES = ['running', 'suspended', 'completed', 'limit', 'cancelled', 'rejected', 'failed'] as const

interface RunsFlags {
  readonly db: string
  readonly session?: string
  readonly status?: string
  readonly limit: number
  readonly json?: boolean
}

/** `parley runs` */
export function addRunsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('runs')
    .summary('list runs, newest first')
    .description('Lists the runs in the database, newest first, with what each one goes on from.')
  withDatabase(command)
    .option('-s, --session <id>', 'only those of this session')
    .option('--status <status>', `only those with this status: ${STATUSES.join(', ')}`)
    .option('-n, --limit <n>', 'most runs to list', (text: string) => toCount(text, '--limit'), 20)
    .option('--json', 'print the records as lines of JSON')
    .action(async ({ db, session: sessionId, status, limit, json }: RunsFlags) => {
      await using store = await openExistingStore(db)
      const runs = await store.runs({ scope: 'default', sessionId, status: toStatus(status), limit })
      for (const run of runs) terminal.out(json === true ? `${JSON.stringify(run)}\n` : lineOf(run, terminal))
      if (runs.length === 0 && json !== true) terminal.out('There are no runs.\n')
    })
}

function lineOf(run: RunRecord, { style }: Terminal): string {
  const { runId, status, agent, seq, startedAt, relation, parent } = run
  const from = parent === undefined ? '' : style('dim', `  ${relation} of ${parent}`)
  const facts = `${status.padEnd(9)}  ${new Date(startedAt).toISOString()}  ${String(seq).padStart(4)} entries  ${agent}`
  return `${runId}  ${facts}${from}\n`
}

function toStatus(text: string | undefined): RunRecord['status'] | undefined {
  const status = STATUSES.find(known => known === text)
  if (text === undefined || status !== undefined) return status
  const detail = `'${text}' is none of ${STATUSES.join(', ')}`
  throw new ParleyError({ code: 'config-invalid', path: '--status', detail })
}

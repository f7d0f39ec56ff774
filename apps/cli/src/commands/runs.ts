import type { Relation, RunQuery, RunRecord, RunStatus, Store } from '@parley/core'
import { relationSchema } from '@parley/core/schema'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { toCount, toOneOf } from '../flags/option-values.ts'
import type { Terminal } from '../render/terminal.ts'
import { openExistingStore } from '../store/open-store.ts'
import { findRun } from '../store/read-run.ts'

// A record instead of a list: a status that core adds or removes fails to compile here.
const STATUSES = Object.keys({
  running: true,
  suspended: true,
  completed: true,
  limit: true,
  cancelled: true,
  rejected: true,
  failed: true,
} satisfies Record<RunStatus, true>) as RunStatus[]

const RELATIONS: readonly Relation[] = relationSchema.options

interface RunsFlags {
  readonly db: string
  readonly session?: string
  readonly status?: RunStatus
  readonly relation?: Relation
  readonly parent?: string
  readonly limit: number
  readonly json?: boolean
}

/** Adds the command `parley runs`. */
export function addRunsCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('runs')
    .summary('list runs, newest first')
    .description('Lists the runs in the database, newest first, and the run that each one continues.')
  withDatabaseFlag(command)
    .option('-s, --session <id>', 'only runs of this session')
    .option('--status <status>', `only runs with this status: ${STATUSES.join(', ')}`, (text: string) =>
      toOneOf(STATUSES, text, '--status'),
    )
    .option(
      '--relation <relation>',
      `only runs with this relation to the run that they started from: ${RELATIONS.join(', ')}`,
      (text: string) => toOneOf(RELATIONS, text, '--relation'),
    )
    .option('--parent <id>', 'only runs that continue, branch off or repeat this run')
    .option('-n, --limit <n>', 'maximum number of runs', (text: string) => toCount(text, '--limit'), 20)
    .option('--json', 'print every record as one line of JSON')
    .action(async ({ db, json, ...flags }: RunsFlags) => {
      await using store = await openExistingStore(db)
      const runs = await store.runs(await toQuery(store, flags))
      for (const run of runs) terminal.out(json === true ? `${JSON.stringify(run)}\n` : lineOf(run, terminal))
      if (runs.length === 0 && json !== true) terminal.out('No runs.\n')
    })
}

function lineOf(run: RunRecord, { style }: Terminal): string {
  const { runId, status, agent, seq, startedAt, relation, parent } = run
  const from = parent === undefined ? '' : style('dim', `  ${relation} of ${parent}`)
  const facts = `${status.padEnd(9)}  ${new Date(startedAt).toISOString()}  ${String(seq).padStart(4)} entries  ${agent}`
  return `${runId}  ${facts}${from}\n`
}

async function toQuery(store: Store, flags: Omit<RunsFlags, 'db' | 'json'>): Promise<RunQuery> {
  const { session: sessionId, status, relation, parent, limit } = flags
  return {
    scope: 'default',
    sessionId,
    status,
    relation,
    parent: parent === undefined ? undefined : (await findRun(store, parent)).runId,
    limit,
  }
}

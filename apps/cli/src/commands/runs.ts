import { ParleyError, type RunQuery, type RunRecord, type Store } from '@parley/core'
import type { Command } from 'commander'
import { toCount, withDatabase } from '../flags/agent-flags.ts'
import { findRun } from '../store/find-run.ts'
import { openExistingStore } from '../store/open-existing-store.ts'
import type { Terminal } from '../render/terminal.ts'

const STATUSES = ['running', 'suspended', 'completed', 'limit', 'cancelled', 'rejected', 'failed'] as const
const RELATIONS = ['initial', 'continue', 'branch', 'rerun', 'sub-agent', 'compaction'] as const

interface RunsFlags {
  readonly db: string
  readonly session?: string
  readonly status?: string
  readonly relation?: string
  readonly parent?: string
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
    .option('--relation <relation>', `only those that came to be like this: ${RELATIONS.join(', ')}`)
    .option('--parent <id>', 'only those that go on from this run, branch off it or repeat it')
    .option('-n, --limit <n>', 'most runs to list', (text: string) => toCount(text, '--limit'), 20)
    .option('--json', 'print the records as lines of JSON')
    .action(async ({ db, json, ...flags }: RunsFlags) => {
      await using store = await openExistingStore(db)
      const runs = await store.runs(await toQuery(store, flags))
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

async function toQuery(store: Store, flags: Omit<RunsFlags, 'db' | 'json'>): Promise<RunQuery> {
  const { session: sessionId, status, relation, parent, limit } = flags
  return {
    scope: 'default',
    sessionId,
    status: oneOf(STATUSES, status, '--status'),
    relation: oneOf(RELATIONS, relation, '--relation'),
    parent: parent === undefined ? undefined : (await findRun(store, parent)).runId,
    limit,
  }
}

function oneOf<TName extends string>(
  names: readonly TName[],
  text: string | undefined,
  path: string,
): TName | undefined {
  const found = names.find(name => name === text)
  if (text === undefined || found !== undefined) return found
  throw new ParleyError({ code: 'config-invalid', path, detail: `'${text}' is none of ${names.join(', ')}` })
}

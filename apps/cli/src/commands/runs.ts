import type { Relation, RunQuery, RunRecord, RunStatus } from '@parley/core'
import type { Command } from 'commander'
import { withDatabaseFlag } from '../flags/database-flag.ts'
import { withServerFlag } from '../flags/server-flag.ts'
import { toCount, toOneOf } from '../flags/option-values.ts'
import { openRuns, type PlaceFlags } from '../remote/open-runs.ts'
import { ageOf } from '../render/age.ts'
import { oneLine } from '../render/one-line.ts'
import { questionOf, standingOf } from '../render/run-standing.ts'
import { withExamples } from '../program/with-examples.ts'
import type { Style, Terminal } from '../render/terminal.ts'
import { findRun, readShortIds } from '../store/read-run.ts'
import type { RunReader } from '../store/run-reader.ts'
import { addRunsExportCommand } from './runs-export.ts'

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

const RELATIONS = Object.keys({
  initial: true,
  continue: true,
  branch: true,
  rerun: true,
  'sub-agent': true,
  compaction: true,
} satisfies Record<Relation, true>) as Relation[]

interface RunsFlags extends PlaceFlags {
  readonly session?: string
  readonly status?: RunStatus
  readonly relation?: Relation
  readonly parent?: string
  readonly limit: number
  readonly json?: boolean
}

/** Defines the command `parley runs`. */
export function defineRunsCommand(command: Command, terminal: Terminal): void {
  command.description(
    'Lists the runs in the database or on the server, newest first: a short id that every command accepts, how the run stands, its age, ' +
      'its agent, the question, and the run that it continues.',
  )
  withDatabaseFlag(withServerFlag(command, ['session', 'status', 'relation', 'parent', 'limit', 'json']))
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
    .action(async (flags: RunsFlags) => {
      await using reader = await openRuns(flags)
      const runs = await reader.runs(await toQuery(reader, flags))
      if (flags.json === true) for (const run of runs) terminal.out(`${JSON.stringify(run)}\n`)
      else await listRuns(reader, runs, terminal)
    })
  addRunsExportCommand(command, terminal)
  withExamples(command, [
    ['runs', 'the newest 20 runs'],
    ['runs --status suspended', 'the runs that wait for an answer'],
    ['runs --session tides --json', 'the runs of a session as JSON'],
    ['runs --server https://agent.example', 'the runs on a server, for a key with access to them'],
  ])
}

/** Number of entries in which the question of a run is looked for. Runs of earlier versions have no preview. */
const OPENING = 20

/** Prints a line for each run: its short id, how it stands, its age, its agent and the question. */
async function listRuns(reader: RunReader, runs: readonly RunRecord[], terminal: Terminal): Promise<void> {
  if (runs.length === 0) return terminal.out('No runs.\n')
  const ids = await readShortIds(reader, runs)
  const now = Date.now()
  const rows: RunRow[] = []
  for (const run of runs) {
    const { runId, relation, parent, agent, startedAt, status, seq } = run
    const newest = status === 'suspended' ? await reader.read(runId, { afterSeq: seq - 1 }) : []
    const { words, color } = standingOf(status, newest)
    const from = parent === undefined ? '' : `  ${relation} of ${ids.get(parent) ?? parent}`
    const question = run.preview ?? questionOf(await reader.read(runId, { limit: OPENING }))
    rows.push({ id: ids.get(runId) ?? runId, words, color, age: ageOf(startedAt, now), agent, question, from })
  }
  const width = (field: 'words' | 'age' | 'agent'): number => Math.max(...rows.map(row => row[field].length))
  const [words, age, agent] = [width('words'), width('age'), width('agent')]
  for (const row of rows) {
    const { style, columns = 160 } = terminal
    const head = `${row.age.padEnd(age)}  ${row.agent.padEnd(agent)}  `
    const taken = row.id.length + words + head.length + row.from.length + 4
    const standing = row.color === undefined ? row.words.padEnd(words) : style(row.color, row.words.padEnd(words))
    const question = oneLine(row.question, Math.max(20, columns - taken))
    terminal.out(`${style('bold', row.id)}  ${standing}  ${head}${question}${style('dim', row.from)}\n`)
  }
}

interface RunRow {
  readonly id: string
  readonly words: string
  readonly color: Style | undefined
  readonly age: string
  readonly agent: string
  readonly question: string
  /** The run that this one continues, branches off or repeats. */
  readonly from: string
}

async function toQuery(reader: RunReader, flags: RunsFlags): Promise<RunQuery> {
  const { session: sessionId, status, relation, parent, limit } = flags
  return {
    scope: 'default',
    sessionId,
    status,
    relation,
    parent: parent === undefined ? undefined : (await findRun(reader, parent)).runId,
    limit,
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { searchWords, type RunQuery, type RunRecord, type RunStatus, type Store } from '@parley/core'
import { expect, inject, it } from 'vitest'
import { openSchema, type TemporarySchema } from './__fixtures__/open-schema.ts'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openPostgresStore } from './open-postgres-store.ts'

/** More than the number of runs up to which a word is rare. */
const RUNS = 1_400
const runIdOf = (n: number): string => `r${String(n).padStart(4, '0')}`

type ListedRun = Pick<RunRecord, 'runId' | 'startedAt' | 'status' | 'agent' | 'relation' | 'preview'>

/** Two runs start at the same time. No run has both of the words `even` and `odd`, or fails with the word `odd`. */
const RECORDS = Array.from({ length: RUNS }, (_, n): ListedRun => {
  const words = [
    n % 2 === 0 ? 'even' : 'odd',
    'each',
    ...(n % 3 === 0 ? ['third'] : []),
    ...(n % 100 === 0 ? ['rare'] : []),
  ]
  return {
    runId: runIdOf(n),
    startedAt: Math.floor(n / 2),
    status: n % 4 === 0 ? 'failed' : 'completed',
    agent: n % 2 === 0 ? 'one' : `two`,
    relation: n % 5 === 0 ? 'sub-agent' : 'initial',
    preview: words.join(' '),
  }
})

const TEXTS = [
  'even',
  'odd',
  'even odd',
  'each',
  'each even',
  'odd each even',
  'third each',
  'rare even',
  'odd rare',
  'even nothing',
]
const STATUSES: readonly (RunStatus | undefined)[] = [undefined, 'completed', 'failed']
const OTHERS: readonly Omit<RunQuery, 'scope'>[] = [
  {},
  { roots: true },
  { relation: 'sub-agent' },
  { since: 100, until: 300 },
  { after: { startedAt: 350, runId: runIdOf(701) } },
  { after: { startedAt: 350, runId: runIdOf(701) }, since: 50, roots: true },
]

it('a list by rare or common words has the runs that match every filter, newest first, also runs of an earlier release', async () => {
  await using place = await openSchema(inject('postgresUrl'))
  const open = () => openPostgresStore({ url: place.url, schema: place.schema })
  await (await open())[Symbol.asyncDispose]()
  await undoMarks(place)
  await insertRuns(place, RECORDS.slice(0, RUNS / 2))
  await using store = await open()
  await Promise.all(RECORDS.slice(RUNS / 2).map(run => append(store, run)))
  await setFields(place)
  for (const text of TEXTS)
    for (const status of STATUSES)
      for (const agent of [undefined, 'one', 'two'])
        for (const others of OTHERS) {
          const query = { scope: 'scope', text, status, agent, limit: 20, ...others }
          const found = await store.runs(query)
          expect({ query, found: found.map(({ runId }) => runId) }).toEqual({ query, found: expected(query) })
        }
})

it('a migration may take longer than statementTimeoutMs', async () => {
  await using place = await openSchema(inject('postgresUrl'))
  const open = () => openPostgresStore({ url: place.url, schema: place.schema, statementTimeoutMs: 300 })
  await (await open())[Symbol.asyncDispose]()
  await undoMarks(place)
  // The migration waits for the end of the transaction that has read the table.
  await place.query('begin; select 1 from run_words')
  const opening = open()
  const waiting = `select 1 from pg_locks where not granted and relation = 'run_words'::regclass`
  await expect.poll(() => place.query(waiting)).toHaveLength(1)
  await sleep(600)
  await place.query('commit')
  await (await opening)[Symbol.asyncDispose]()
})

it('the index of words has the marks of each run, so that a list by several words reads no row in vain', async () => {
  await using place = await openSchema(inject('postgresUrl'))
  await using store = await openPostgresStore({ url: place.url, schema: place.schema })
  await Promise.all(RECORDS.slice(0, 200).map(run => append(store, run)))
  const marks = await place.query(`select distinct mark_a, mark_b from run_words where word = 'odd'`)
  expect(marks.map(({ mark_a: mark }) => mark)).not.toContain('-1')
  const [key] =
    await place.query(`select indnkeyatts as keys, indnatts as columns, indisprimary as primary from pg_index
    where indexrelid = 'run_words_key'::regclass`)
  // An index without the marks would read the row of each run.
  expect(key).toEqual({ keys: 4, columns: 6, primary: true })
})

function expected({
  text = '',
  status,
  agent,
  relation,
  roots,
  since = 0,
  until = RUNS,
  after,
  limit,
}: RunQuery): readonly string[] {
  const words = [...searchWords(text)]
  return RECORDS.filter(
    run =>
      words.every(word => run.preview?.split(' ').includes(word)) &&
      (status === undefined || run.status === status) &&
      (agent === undefined || run.agent === agent) &&
      (relation === undefined || run.relation === relation) &&
      (roots !== true || run.relation !== 'sub-agent') &&
      run.startedAt >= since &&
      run.startedAt < until &&
      // The ids have the order of the times.
      (after === undefined || run.runId < after.runId),
  )
    .map(({ runId }) => runId)
    .toReversed()
    .slice(0, limit)
}

/** Leaves the table of words as schema 0016 has it. */
async function undoMarks({ query }: TemporarySchema): Promise<void> {
  await query('alter table run_words drop constraint run_words_key, drop column mark_a, drop column mark_b')
  await query('alter table run_words add constraint run_words_key primary key (scope, word, started_at, run_id)')
  await query(`delete from parley_migration where name = '0017-word-marks'`)
}

/** Inserts the rows of runs, as a store of schema 0016 wrote them. */
async function insertRuns({ query }: TemporarySchema, runs: readonly ListedRun[]): Promise<void> {
  await query(`insert into runs (run_id, session_id, scope, agent, relation, status, seq, started_at, updated_at, worker, fence, preview)
    select "runId", "runId", 'scope', 'a', 'initial', 'running', 1, "startedAt", 1, 'w', 1, preview
    from json_to_recordset('${JSON.stringify(runs)}') as run("runId" text, "startedAt" bigint, preview text)`)
  await query(`insert into run_words (scope, word, started_at, run_id)
    select scope, unnest(string_to_array(preview, ' ')), started_at, run_id from runs`)
}

async function append(store: Store, { runId, startedAt, preview }: ListedRun): Promise<void> {
  const entries = [{ ...startedEntry(runId), at: startedAt }, saidEntry(2, preview)]
  await store.append({ runId, worker: 'w', fence: 1, expectedSeq: 0, entries })
}

async function setFields({ query }: TemporarySchema): Promise<void> {
  await query(`update runs set status = run.status, agent = run.agent, relation = run.relation
    from json_to_recordset('${JSON.stringify(RECORDS)}') as run("runId" text, status text, agent text, relation text)
    where runs.run_id = run."runId"`)
  await query('analyze')
}

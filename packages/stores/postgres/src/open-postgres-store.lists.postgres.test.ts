import { searchWords, type RunQuery, type RunRecord, type RunStatus } from '@parley/core'
import { expect, inject, it } from 'vitest'
import { openSchema, type TemporarySchema } from './__fixtures__/open-schema.ts'
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

it('lists by rare and by common words have the runs that match every filter, newest first', async () => {
  await using place = await openSchema(inject('postgresUrl'))
  await using store = await openPostgresStore({ url: place.url, schema: place.schema })
  await insertRuns(place)
  for (const text of TEXTS)
    for (const status of STATUSES)
      for (const agent of [undefined, 'one', 'two'])
        for (const others of OTHERS) {
          const query = { scope: 's', text, status, agent, limit: 20, ...others }
          const found = await store.runs(query)
          expect(
            found.map(({ runId }) => runId),
            JSON.stringify(query),
          ).toEqual(expected(query))
        }
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

/** Inserts the rows of the runs, as a store of an earlier release wrote them. */
async function insertRuns({ query }: TemporarySchema): Promise<void> {
  const json = JSON.stringify(RECORDS)
  await query(`insert into runs (run_id, session_id, scope, agent, relation, status, seq, started_at, updated_at, worker, fence, preview)
    select "runId", "runId", 's', agent, relation, status, 1, "startedAt", 1, 'w', 1, preview from json_to_recordset('${json}')
      as r("runId" text, "startedAt" bigint, status text, agent text, relation text, preview text)`)
  await query(`insert into run_words (scope, word, started_at, run_id)
    select scope, unnest(string_to_array(preview, ' ')), started_at, run_id from runs`)
  await query('analyze')
}

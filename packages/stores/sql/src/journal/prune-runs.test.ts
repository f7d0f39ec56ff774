import { ZERO_USAGE, type Entry, type PruneQuery } from '@parley/core'
import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore } from '../create-sql-store.ts'
import { migrateStore } from '../tables/migrate-store.ts'
import type { RunRow, StoreTables } from '../tables/store-tables.ts'
import { APPENDS_BY_RUN_ID as keys } from './append-keys.ts'
import { pruneRuns } from './prune-runs.ts'

async function openTables(): Promise<Kysely<StoreTables>> {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  return db
}

it('prune leaves nothing of a removed run in the database', async () => {
  const db = await openTables()
  await using store = createSqlStore({ name: 'plain', db })
  const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'scope', relation: 'initial' as const }
  const outcome = { status: 'completed', finish: 'stop' } as const
  const models = [{ model: 'p/m', calls: 1, usage: ZERO_USAGE }]
  const started: Entry = { v: 1, seq: 1, at: 1, type: 'run.started', ...identity }
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'green tea, green cup' }] }
  const said: Entry = { v: 1, seq: 2, at: 1, type: 'message.appended', source: 'input', message }
  const claim = { worker: 'w', fence: 1 }
  for (const [runId, at] of [
    ['old', 2],
    ['new', 100],
  ] as const) {
    await store.append({ runId, ...claim, expectedSeq: 0, entries: [started, said] })
    const command = { type: 'cancel' as const, reason: { kind: 'user' as const } }
    await store.inbox?.put({ runId, id: runId, at: 1, command })
    const ended: Entry = { v: 1, seq: 3, at, type: 'run.ended', outcome, usage: ZERO_USAGE, models }
    await store.append({ runId, ...claim, expectedSeq: 2, entries: [ended], taken: 1 })
  }
  expect(await store.prune?.({ scope: 'scope', before: 100 })).toBe(1)
  for (const table of ['runs', 'appends', 'inbox', 'run_words', 'run_usage'] as const) {
    const rows = await db.selectFrom(table).select('run_id').distinct().execute()
    expect([table, ...rows.map(row => row.run_id)]).toEqual([table, 'new'])
  }
})

const IDS = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7']
const time = fc.integer({ min: 0, max: 9 })
/** A run that descends from an earlier one of the list, at any time: clocks differ. */
const drawnRun = fc.record({
  parent: fc.option(fc.nat({ max: IDS.length - 1 }), { nil: undefined }),
  scope: fc.oneof({ weight: 6, arbitrary: fc.constant('scope') }, fc.constant('other')),
  status: fc.oneof(
    { weight: 6, arbitrary: fc.constant('completed' as const) },
    fc.constantFrom('running' as const, 'suspended' as const),
  ),
  startedAt: time,
  updatedAt: time,
})
const drawnRuns = fc.array(drawnRun, { minLength: 1, maxLength: IDS.length }).map(runs =>
  runs.map(({ parent, ...run }, index) => ({
    ...run,
    id: IDS[index] ?? '',
    parent: parent === undefined || parent >= index ? undefined : IDS[parent],
  })),
)
type DrawnRun = ReturnType<(typeof drawnRuns)['generate']>['value'][number]

/** Returns the runs that stay: each run that may not be removed, and every run that it descends from. */
function keptOf(runs: readonly DrawnRun[], { scope, before, runId }: PruneQuery): readonly string[] {
  const kept = new Set<string>()
  for (const run of runs) {
    const isOld = run.scope === scope && run.status === 'completed' && run.updatedAt < before
    if (isOld && (runId ?? run.id) === run.id) continue
    for (let each: DrawnRun | undefined = run; each !== undefined;) {
      kept.add(each.id)
      const { parent }: DrawnRun = each
      each = runs.find(({ id }) => id === parent)
    }
  }
  return [...kept].sort()
}

it('prune in batches of any size keeps every run that a remaining run descends from, whatever the clocks of the workers say', async () => {
  const query = fc.record(
    { scope: fc.constant('scope'), before: time, runId: fc.constantFrom(...IDS) },
    { requiredKeys: ['scope', 'before'] },
  )
  await fc.assert(
    fc.asyncProperty(drawnRuns, query, fc.integer({ min: 1, max: 4 }), async (runs, drawn, batch) => {
      const db = await openTables()
      await db.insertInto('runs').values(runs.map(toRow)).execute()
      const removed = await pruneRuns(db, { query: drawn, keys, batch, step: call => call() })
      const left = await db.selectFrom('runs').select('run_id').orderBy('run_id').execute()
      const kept = keptOf(runs, drawn)
      expect(left.map(row => row.run_id)).toEqual(kept)
      expect(removed).toBe(runs.length - kept.length)
      await db.destroy()
    }),
    { numRuns: 60 },
  )
})

it('prune removes the last run of a batch if the run that kept it is removed later in the batch', async () => {
  const db = await openTables()
  // Listed newest first, so the batches are [child, other] and [grandchild, root].
  const runs = [
    { id: 'root', parent: undefined, startedAt: 1 },
    { id: 'grandchild', parent: 'child', startedAt: 2 },
    { id: 'other', parent: undefined, startedAt: 3 },
    { id: 'child', parent: 'root', startedAt: 4 },
  ].map(run => toRow({ ...run, scope: 'scope', status: 'completed', updatedAt: 5 }))
  await db.insertInto('runs').values(runs).execute()
  const query = { scope: 'scope', before: 9 }
  expect(await pruneRuns(db, { query, keys, batch: 2, step: call => call() })).toBe(4)
  await db.destroy()
})

it('prune keeps a run that ended at the limit, although every run that descends from it is removed', async () => {
  const db = await openTables()
  const shared = { scope: 'scope' as const, status: 'completed' as const }
  const runs = [
    toRow({ ...shared, id: 'root', startedAt: 5, updatedAt: 9 }),
    toRow({ ...shared, id: 'child', parent: 'root', startedAt: 4, updatedAt: 8 }),
  ]
  await db.insertInto('runs').values(runs).execute()
  const removed = (before: number) => pruneRuns(db, { query: { scope: 'scope', before }, keys, step: call => call() })
  expect([await removed(9), await removed(10)]).toEqual([1, 1])
  await db.destroy()
})

it('prune removes a batch in each step, and stops at the step that fails', async () => {
  const db = await openTables()
  const runs = IDS.map((id, index) => ({
    id,
    parent: undefined,
    scope: 'scope' as const,
    startedAt: index,
    updatedAt: index,
  }))
  await db
    .insertInto('runs')
    .values(runs.map(run => toRow({ ...run, status: 'completed' })))
    .execute()
  const left: number[] = []
  const stopping = pruneRuns(db, {
    query: { scope: 'scope', before: 100 },
    keys,
    batch: 3,
    step: async call => {
      const { length } = await db.selectFrom('runs').select('run_id').execute()
      if (left.at(-1) !== length) left.push(length)
      if (length < 4) throw new Error('stopped')
      return call()
    },
  })
  await expect(stopping).rejects.toThrow('stopped')
  expect(left).toEqual([8, 5, 2])
})

function toRow({
  id,
  scope,
  status,
  startedAt,
  updatedAt,
  parent = null,
}: Omit<DrawnRun, 'parent'> & { parent?: string | null | undefined }): RunRow {
  const identity = { run_id: id, session_id: 's', scope, agent: 'a', relation: 'initial' as const, status }
  const numbers = { seq: 1, started_at: startedAt, updated_at: updatedAt, fence: 1, received: 0, taken: 0 }
  return { ...identity, ...numbers, worker: 'w', parent, model: null, preview: null, spent: null }
}

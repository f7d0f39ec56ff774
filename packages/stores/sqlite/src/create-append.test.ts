import type { JournalAppend } from '@parley/core'
import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { endedEntry, saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { createSqliteStore, openSqliteStore } from './open-sqlite-store.ts'

it('an append to a journal that another connection with the same claim has extended is rejected', async () => {
  await using folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  await using first = await openSqliteStore({ path })
  await using second = await openSqliteStore({ path })
  const claim = { runId: 'r', worker: 'w', fence: 1 }
  await first.append({ ...claim, expectedSeq: 0, entries: [startedEntry()] })
  await second.append({ ...claim, expectedSeq: 1, entries: [saidEntry(2), saidEntry(3)] })
  // The first connection expects the journal that it has written, with another row than that of the second one.
  const late = first.append({ ...claim, expectedSeq: 1, entries: [saidEntry(2, 'late')] })
  await expect(late).rejects.toMatchObject({ info: { code: 'store-conflict', expected: 1, actual: 3 } })
  expect(await first.read('r')).toEqual([startedEntry(), saidEntry(2), saidEntry(3)])
})

it('an append after a claim of another connection is rejected, although this connection wrote last', async () => {
  await using folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  await using first = await openSqliteStore({ path })
  await using second = await openSqliteStore({ path })
  await first.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 0, entries: [startedEntry()] })
  expect(await second.claim({ runId: 'r', worker: 'w', at: 1 })).toMatchObject({ granted: true, fence: 2 })
  const late = first.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 1, entries: [saidEntry(2)] })
  await expect(late).rejects.toMatchObject({ info: { code: 'store-fenced' } })
})

it('an append of a removed run is rejected, and does not reach the run that has its number now', async () => {
  await using folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  await using first = await openSqliteStore({ path })
  await using second = await openSqliteStore({ path })
  const claim = { worker: 'w', fence: 1 }
  await first.append({ runId: 'old', ...claim, expectedSeq: 0, entries: [startedEntry()] })
  await second.claim({ runId: 'old', worker: 'w2', at: 1 })
  await second.append({ runId: 'old', worker: 'w2', fence: 2, expectedSeq: 1, entries: [endedEntry(2)] })
  expect(await second.prune?.({ scope: 'scope', before: 100 })).toBe(1)
  await second.append({ runId: 'new', ...claim, expectedSeq: 0, entries: [startedEntry()] })
  const database = new SqliteDatabase(path, { readonly: true })
  expect(database.prepare('select num, run_id from runs').all()).toEqual([{ num: 1, run_id: 'new' }])
  expect(database.prepare('select id from appends').pluck().all()).toEqual([2 ** 32 + 1])
  database.close()
  const late = first.append({ runId: 'old', ...claim, expectedSeq: 1, entries: [saidEntry(2)] })
  await expect(late).rejects.toMatchObject({ info: { code: 'store-conflict', runId: 'old', actual: 0 } })
  expect(await first.read('new')).toEqual([startedEntry()])
  expect(await first.read('old')).toEqual([])
})

const total = { scope: 'scope', owner: 'runtime', since: 0, until: 1_000, runs: 1, tokens: 0, cost: 0 }
const start = (runId: string): JournalAppend => ({
  runId,
  worker: 'w',
  fence: 1,
  expectedSeq: 0,
  entries: [startedEntry()],
})

/** A store, and the statements of its connection that write. */
async function openNoting() {
  const statements: string[] = []
  const database = new SqliteDatabase(':memory:', { verbose: statement => statements.push(String(statement)) })
  const store = await createSqliteStore(database, { name: 'noting', attempt: async call => call(), busyTimeoutMs: 0 })
  const savepoints = (): number => statements.filter(statement => /^savepoint/i.test(statement)).length
  const rows = (table: string): unknown => database.prepare(`select count(*) from ${table}`).pluck().get()
  return { store, savepoints, rows }
}

it('an append that shares a transaction opens a savepoint only if it counts for a quota', async () => {
  const { store, savepoints } = await openNoting()
  await using _ = store
  await Promise.all(['a', 'b', 'c'].map(id => store.append(start(id))))
  expect(savepoints()).toBe(0)
  const counted = ['d', 'e', 'f'].map(id => store.append({ ...start(id), counts: [total] }))
  await Promise.all(counted)
  expect(savepoints()).toBe(3)
})

it('a run that a quota refuses leaves no row, and the appends that share its transaction are written', async () => {
  const { store, rows } = await openNoting()
  await using _ = store
  const counts = [{ ...total, maxRuns: 0 }]
  const appends = [start('a'), start('b'), { ...start('c'), counts }, start('d')]
  const results = await Promise.allSettled(appends.map(append => store.append(append)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ reason: { code: 'quota-exceeded' } })
  expect([rows('runs'), rows('appends'), rows('quota_totals')]).toEqual([3, 3, 0])
})

it('a run whose session has another newest run leaves no row, and the appends that share its transaction are written', async () => {
  const { store, rows } = await openNoting()
  await using _ = store
  const appends = [start('a'), start('b'), { ...start('c'), sessionHead: null }, start('d')]
  const results = await Promise.allSettled(appends.map(append => store.append(append)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(results[2]).toMatchObject({ reason: { code: 'session-busy' } })
  expect([rows('runs'), rows('appends')]).toEqual([3, 3])
})

it('a suspended run is read again before it is suspended again, because its inbox may have commands by then', async () => {
  await using store = await openSqliteStore({ path: ':memory:' })
  const by = { runId: 'r', worker: 'w', fence: 1 }
  const suspended = { v: 1 as const, at: 1, type: 'run.suspended' as const, approvals: [] }
  await store.append({ ...by, expectedSeq: 0, entries: [startedEntry(), { ...suspended, seq: 2 }] })
  const command = { type: 'cancel', reason: { kind: 'user' } } as const
  await store.inbox?.put({ runId: 'r', id: 'i', at: 1, command })
  const again = store.append({ ...by, expectedSeq: 2, entries: [{ ...suspended, seq: 3 }] })
  await expect(again).rejects.toMatchObject({ info: { code: 'inbox-unread' } })
})

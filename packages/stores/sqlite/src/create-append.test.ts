import SqliteDatabase from 'better-sqlite3'
import { expect, it } from 'vitest'
import { endedEntry, saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

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

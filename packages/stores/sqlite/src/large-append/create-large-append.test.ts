import { expect, it } from 'vitest'
import { endedEntry, saidEntry, startedEntry } from '../__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from '../__fixtures__/temporary-folder.ts'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { openAppendThread } from './open-append-thread.ts'

const claim = { runId: 'r', worker: 'w', fence: 1 }
const large = saidEntry(2, 'Long text. '.repeat(5e5))

/** Waits until the store has checked the append that was just given to it. */
const isEncoding = () => new Promise(resolve => setImmediate(resolve))

/** Two connections to one file, and a run that the first one has begun. */
async function openTwo() {
  const folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  const first = await openSqliteStore({ path })
  const second = await openSqliteStore({ path })
  await first.append({ ...claim, expectedSeq: 0, entries: [startedEntry()] })
  return {
    path,
    first,
    second,
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]()
      await second[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

it('a large append is written with everything that it changes, and the event loop gets its turn while it is written', async () => {
  await using stores = await openTwo()
  let isOver = false
  let turns = 0
  const count = (): void => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const total = { scope: 'scope', owner: 'agent', since: 0, until: 9 }
  const counts = [{ ...total, runs: 0, tokens: 5, cost: 1 }]
  await stores.first.append({ ...claim, expectedSeq: 1, entries: [large], counts })
  await stores.first.append({ ...claim, expectedSeq: 2, entries: [saidEntry(3)] })
  isOver = true
  // An append in this thread would take none.
  expect(turns).toBeGreaterThan(5)
  await stores.first.append({ ...claim, expectedSeq: 3, entries: [{ ...large, seq: 4 }, endedEntry(5)] })
  const entries = [startedEntry(), large, saidEntry(3), { ...large, seq: 4 }, endedEntry(5)]
  expect(await stores.second.read('r')).toEqual(entries)
  expect(await stores.second.run('r')).toMatchObject({ status: 'cancelled', seq: 5, updatedAt: 5 })
  expect(await stores.second.quotas?.totals([total])).toMatchObject([{ tokens: 5, cost: 1 }])
})

it('large appends of several runs at the same time are all written', async () => {
  await using stores = await openTwo()
  const runs = ['a', 'b', 'c']
  for (const runId of runs) await stores.first.append({ ...claim, runId, expectedSeq: 0, entries: [startedEntry()] })
  await Promise.all(runs.map(runId => stores.first.append({ ...claim, runId, expectedSeq: 1, entries: [large] })))
  for (const runId of runs) expect(await stores.second.read(runId)).toEqual([startedEntry(), large])
})

it('a large append is rejected if another worker claims the run while it is encoded', async () => {
  await using stores = await openTwo()
  const late = stores.first.append({ ...claim, expectedSeq: 1, entries: [large] })
  await isEncoding()
  await stores.second.claim({ runId: 'r', worker: 'other', at: 1, force: true })
  await expect(late).rejects.toMatchObject({ info: { code: 'store-fenced' } })
  expect(await stores.second.read('r')).toEqual([startedEntry()])
})

it('a large append is rejected if the journal grows while it is encoded', async () => {
  await using stores = await openTwo()
  const late = stores.first.append({ ...claim, expectedSeq: 1, entries: [large] })
  await isEncoding()
  await stores.second.append({ ...claim, expectedSeq: 1, entries: [saidEntry(2)] })
  await expect(late).rejects.toMatchObject({ info: { code: 'store-conflict', expected: 1, actual: 2 } })
  expect(await stores.second.read('r')).toEqual([startedEntry(), saidEntry(2)])
})

it('a large append with the end of its run is rejected if a command arrives while it is encoded', async () => {
  await using stores = await openTwo()
  const late = stores.first.append({ ...claim, expectedSeq: 1, entries: [large, endedEntry(3)] })
  await isEncoding()
  await stores.second.inbox?.put({ runId: 'r', at: 1, id: 'c', command: { type: 'cancel', reason: { kind: 'user' } } })
  await expect(late).rejects.toMatchObject({ info: { code: 'inbox-unread' } })
  expect(await stores.second.run('r')).toMatchObject({ status: 'running', seq: 1 })
})

it('a large append that exceeds a quota is refused and leaves nothing, although the run exists', async () => {
  await using stores = await openTwo()
  const total = { scope: 'scope', owner: 'runs', since: 0, until: 9 }
  const counts = [{ ...total, runs: 1, tokens: 0, cost: 0, maxRuns: 0 }]
  const refused = stores.first.append({ ...claim, expectedSeq: 1, entries: [large], counts })
  await expect(refused).rejects.toMatchObject({ info: { code: 'quota-exceeded' } })
  expect(await stores.second.read('r')).toEqual([startedEntry()])
  expect(await stores.second.quotas?.totals([total])).toEqual([{ runs: 0, tokens: 0, cost: 0 }])
})

it('a thread that is closed writes its pending append first', async () => {
  await using folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  const store = await openSqliteStore({ path })
  await store.append({ ...claim, expectedSeq: 0, entries: [startedEntry()] })
  const thread = openAppendThread({ path, busyTimeoutMs: 5_000, synchronous: 1 })
  const sql = 'insert into appends values (1 << 32 | 2, 2, cast(? as text))'
  const values = [Buffer.from(JSON.stringify([large]))]
  const written = thread.write([{ sql, values, mustChange: true }])
  await thread.close()
  expect(await written).toBe(true)
  expect(await store.read('r')).toEqual([startedEntry(), large])
  await store[Symbol.asyncDispose]()
})

it('a thread that cannot open the file writes nothing, and a statement that fails rejects with the code of SQLite', async () => {
  await using stores = await openTwo()
  const none = openAppendThread({ path: `${stores.path}-none`, busyTimeoutMs: 0, synchronous: 1 })
  expect(await none.write([])).toBe(false)
  expect(await none.write([])).toBe(false)
  await none.close()
  const thread = openAppendThread({ path: stores.path, busyTimeoutMs: 0, synchronous: 1 })
  const wrong = { sql: 'insert into none values (1)', values: [], mustChange: true }
  await expect(thread.write([wrong])).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
  await thread.close()
})

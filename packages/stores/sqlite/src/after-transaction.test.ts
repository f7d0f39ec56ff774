import type { Store } from '@parley/core'
import type { Database } from 'better-sqlite3'
import { expect, it } from 'vitest'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { afterTransaction } from './after-transaction.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const first = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0 }
const word = { id: 'i', at: 1, command: { type: 'cancel', reason: { kind: 'user' } } } as const

/** Calls with several statements, which are rolled back. */
const undone: readonly (readonly [string, (store: Store) => Promise<unknown> | undefined])[] = [
  ['a word for a run there is not', store => store.inbox?.put({ runId: 'nobody', ...word })],
  ['a note that is refused', store => store.notes?.put({ scope: 's', id: 'n', at: Number.NaN, text: 'tea' })],
]

it.each(undone)(
  'the SQLite store keeps every acknowledged append while %s is rolled back at the same time',
  async (_, call) => {
    await using store = await openSqliteStore({ path: ':memory:' })
    await store.append({ ...first, entries: [startedEntry()] })
    const end: { with?: unknown } = {}
    let seq = 1
    call(store)?.then(
      () => (end.with = 'done'),
      (error: unknown) => (end.with = error),
    )
    while (end.with === undefined) {
      seq += 1
      await store.append({ ...first, expectedSeq: seq - 1, entries: [saidEntry(seq)] })
    }
    expect(end.with).toBeInstanceOf(Error)
    expect(await store.read('r')).toHaveLength(seq)
  },
)

it('afterTransaction waits until no transaction is open, however many follow each other', async () => {
  const open = [true, true, true, false]
  const database = {
    get inTransaction() {
      return open.shift() ?? false
    },
  } as Database
  let left = -1
  await afterTransaction(database, () => (left = open.length))
  expect(left).toBe(0)
})

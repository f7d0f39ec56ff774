import { setImmediate as nextTurn } from 'node:timers/promises'
import { ParleyError, type JournalAppend, type Store } from '@parley/core'
import SqliteDatabase from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { createGroupCommit } from './create-group-commit.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

/** A table of run ids, and the statements that its connection executes. */
function openTable() {
  const statements: string[] = []
  const database = new SqliteDatabase(':memory:', { verbose: statement => statements.push(String(statement)) })
  database.exec('create table runs (id text primary key)')
  const insert = database.prepare('insert into runs values (?)')
  const written = (): unknown[] => database.prepare('select id from runs order by rowid').pluck().all()
  const commits = (): number => statements.filter(statement => /^commit/i.test(statement)).length
  return { database, insert, written, commits }
}

const appendOf = (runId: string): JournalAppend => ({ runId, worker: 'w', fence: 1, expectedSeq: 0, entries: [] })

describe('createGroupCommit', () => {
  it('a run that is alone in its turn of the event loop is written at once', async () => {
    const { database, insert, written } = openTable()
    const group = createGroupCommit(database, { write: ({ runId }) => insert.run(runId), forget: () => {} })
    let isOver = false
    setImmediate(() => (isOver = true))
    await group.write(appendOf('a'))
    expect(written()).toEqual(['a'])
    expect(isOver).toBe(false)
  })

  it('createGroupCommit writes the appends of other runs in the same turn with one commit, and resolves after it', async () => {
    const { database, insert, written, commits } = openTable()
    const group = createGroupCommit(database, { write: ({ runId }) => insert.run(runId), forget: () => {} })
    const resolved: string[] = []
    const writes = ['a', 'b', 'c', 'd'].map(async runId => {
      await group.write(appendOf(runId))
      expect(database.inTransaction).toBe(false)
      resolved.push(runId)
    })
    await Promise.resolve()
    expect(written()).toEqual(['a'])
    await Promise.all(writes)
    expect(resolved).toEqual(['a', 'b', 'c', 'd'])
    expect(commits()).toBe(1)
  })

  it('after a turn with several runs, the first append of a turn shares the commit, until a run is alone again', async () => {
    const { database, insert, written, commits } = openTable()
    const group = createGroupCommit(database, { write: ({ runId }) => insert.run(runId), forget: () => {} })
    const write = (ids: readonly string[]) => Promise.all(ids.map(id => group.write(appendOf(id))))
    await write(['a', 'b'])
    const together = write(['c', 'd', 'e'])
    await Promise.resolve()
    expect(written()).toEqual(['a', 'b'])
    await together
    expect(written()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(commits()).toBe(1)
    await write(['f'])
    const alone = write(['g'])
    await Promise.resolve()
    expect(written()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
    await alone
  })

  it('an append that waits alone is written without a transaction around it', async () => {
    const { database, insert, written, commits } = openTable()
    const group = createGroupCommit(database, { write: ({ runId }) => insert.run(runId), forget: () => {} })
    await Promise.all(['a', 'b'].map(id => group.write(appendOf(id))))
    expect(written()).toEqual(['a', 'b'])
    expect(commits()).toBe(0)
  })

  it('more than 128 appends take several transactions', async () => {
    const { database, insert, written, commits } = openTable()
    const group = createGroupCommit(database, { write: ({ runId }) => insert.run(runId), forget: () => {} })
    const ids = Array.from({ length: 300 }, (_, index) => `run-${index}`)
    await Promise.all(ids.map(id => group.write(appendOf(id))))
    expect(written()).toEqual(ids)
    expect(commits()).toBe(3)
  })

  it('an append that the store refuses rejects alone', async () => {
    const { database, insert, written, commits } = openTable()
    const refusal = new ParleyError({ code: 'store-fenced', runId: 'c' })
    const write = ({ runId }: JournalAppend): void => {
      if (runId === 'c') throw refusal
      insert.run(runId)
    }
    const group = createGroupCommit(database, { write, forget: () => {} })
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(id => group.write(appendOf(id))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(results[2]).toMatchObject({ reason: refusal })
    expect(written()).toEqual(['a', 'b', 'd'])
    expect(commits()).toBe(1)
  })

  it('an append that cannot be written undoes the transaction, and the others are forgotten and written alone', async () => {
    const { database, insert, written } = openTable()
    const forgotten: string[] = []
    const write = ({ runId }: JournalAppend): void => {
      if (runId === 'c') throw new TypeError('no text')
      insert.run(runId)
    }
    const group = createGroupCommit(database, { write, forget: runId => forgotten.push(runId) })
    const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map(id => group.write(appendOf(id))))
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(results[2]).toMatchObject({ reason: new TypeError('no text') })
    expect(written()).toEqual(['a', 'b', 'd'])
    expect(forgotten).toEqual(['b', 'c', 'd'])
  })
})

const start = (runId: string): JournalAppend => ({ ...appendOf(runId), entries: [startedEntry()] })

it('a store whose file another connection locks writes the appends of several runs later', async () => {
  await using folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  await using store = await openSqliteStore({ path })
  const other = new SqliteDatabase(path)
  other.exec('begin immediate')
  const writes = Promise.all(['a', 'b', 'c'].map(id => store.append(start(id))))
  await nextTurn()
  await nextTurn()
  other.exec('rollback')
  other.close()
  await writes
  for (const id of ['a', 'b', 'c']) expect(await store.read(id)).toEqual([startedEntry()])
})

it('a store that is closed has written the appends that waited for the end of the turn', async () => {
  await using folder = await openTemporaryFolder()
  const path = folder.file('store.db')
  const store = await openSqliteStore({ path })
  const writes = Promise.all(['a', 'b', 'c'].map(id => store.append(start(id))))
  await Promise.resolve()
  await store[Symbol.asyncDispose]()
  await writes
  await using again = await openSqliteStore({ path })
  for (const id of ['a', 'b', 'c']) expect(await again.read(id)).toEqual([startedEntry()])
})

interface Step {
  readonly entries: number
  /** Whether it expects a journal that is too short. */
  readonly isLate: boolean
  /** Whether it comes in a later turn of the event loop. */
  readonly pause: boolean
}

const step: fc.Arbitrary<Step> = fc.record({
  entries: fc.integer({ min: 1, max: 3 }),
  isLate: fc.boolean(),
  pause: fc.boolean(),
})

/** Writes the appends of one run, one after the other. @returns The outcome of each. */
async function play(store: Store, runId: string, steps: readonly Step[]) {
  const outcomes: string[] = []
  let seq = 0
  for (const { entries, isLate, pause } of steps) {
    if (pause) await nextTurn()
    const expectedSeq = isLate ? seq - 1 : seq
    const given = Array.from({ length: entries }, (_, index) =>
      expectedSeq + index === 0 ? startedEntry() : saidEntry(expectedSeq + index + 1, `${runId} ${index}`),
    )
    const append = { runId, worker: 'w', fence: 1, expectedSeq: Math.max(0, expectedSeq), entries: given }
    const outcome = await store.append(append).then(
      () => 'written',
      (error: unknown) => (ParleyError.is(error) ? error.code : String(error)),
    )
    if (outcome === 'written') seq = expectedSeq + entries
    outcomes.push(outcome)
  }
  return outcomes
}

it('concurrent runs have the same journals and the same refusals as runs one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 6 }), async scripts => {
      await using together = await openSqliteStore({ path: ':memory:' })
      await using apart = await openSqliteStore({ path: ':memory:' })
      const shared = await Promise.all(scripts.map((steps, run) => play(together, `run-${run}`, steps)))
      for (const [run, steps] of scripts.entries()) {
        const runId = `run-${run}`
        expect(await play(apart, runId, steps)).toEqual(shared[run])
        expect(await together.read(runId)).toEqual(await apart.read(runId))
      }
    }),
    { numRuns: 100 },
  )
})

import { ParleyError, type JournalAppend, type Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { endedEntry, saidEntry, startedEntry, suspendedEntry, type StartedOptions } from './sample-entry.ts'

/** Tests that a session has one writer at a time, and that `prune` keeps what remaining runs need. */
export function describeSessionPromises(open: () => Promise<Store>): void {
  it('exactly one of several concurrent runs can start at the same point of a session', async () => {
    await using store = await open()
    for (const sessionHead of [null, 'first']) {
      if (sessionHead !== null) await store.append(ended(begin(sessionHead, { sessionId: 'two' }), 1_500))
      const sessionId = sessionHead === null ? 'one' : 'two'
      const ids = Array.from({ length: 6 }, (_, index) => `${sessionId}-${index}`)
      const settled = await Promise.allSettled(
        ids.map(runId => store.append({ ...begin(runId, { sessionId, at: 2_000 }), sessionHead })),
      )
      const winner = ids[settled.findIndex(({ status }) => status === 'fulfilled')]
      const refusals = settled.flatMap(result => (result.status === 'rejected' ? [infoOf(result.reason)] : []))
      expect(refusals).toEqual(ids.slice(1).map(() => ({ code: 'session-busy', sessionId, runId: winner })))
      expect((await store.runs({ scope: 'scope', sessionId, limit: 1 }))[0]?.runId).toBe(winner)
    }
  })

  it('a first append with an outdated session head is rejected and writes nothing', async () => {
    await using store = await open()
    await store.append(begin('a', { at: 1 }))
    await store.append(begin('b', { at: 2 }))
    const stale = store.append({ ...begin('c', { at: 3 }), sessionHead: 'a' })
    await expect(stale).rejects.toMatchObject({ info: { code: 'session-busy', sessionId: 'session', runId: 'b' } })
    expect(await store.run('c')).toBeUndefined()
    await store.append({ ...begin('c', { at: 3 }), sessionHead: 'b' })
    expect(await store.read('c')).toHaveLength(2)
  })

  it('sessions of different scopes with the same id are different sessions', async () => {
    await using store = await open()
    await store.append(begin('a', { scope: 'north' }))
    await store.append({ ...begin('b', { scope: 'south' }), sessionHead: null })
    expect(await store.run('b')).toBeDefined()
  })

  it('the record of a run has its parent', async () => {
    await using store = await open()
    await store.append(begin('a', { at: 1 }))
    await store.append(begin('b', { at: 2, base: 'a' }))
    expect(await store.run('a')).not.toHaveProperty('parent')
    expect(await store.run('b')).toMatchObject({ parent: 'a' })
    expect((await store.runs({ scope: 'scope' })).map(run => run.parent)).toEqual(['a', undefined])
  })
  describePruning(open)
  describeAncestors(open)
}

/** Tests `prune`, if the store has it. */
function describePruning(open: () => Promise<Store>): void {
  describe('with prune', () => {
    it('prune removes old ended runs completely, and no other run', async ({ skip }) => {
      await using store = await open()
      if (store.prune === undefined) return skip('the store has no prune')
      await store.append(ended(begin('old', { at: 10 }), 20))
      await store.append(ended(begin('late', { at: 10 }), 30))
      await store.append(begin('unfinished', { at: 10 }))
      await store.append(suspended(begin('suspended', { at: 10 }), 20))
      await store.append(ended(begin('elsewhere', { at: 10, scope: 'other' }), 20))
      expect(await store.prune({ scope: 'scope', before: 30 })).toBe(1)
      expect(await store.run('old')).toBeUndefined()
      expect(await store.read('old')).toEqual([])
      for (const runId of ['late', 'unfinished', 'suspended', 'elsewhere'])
        expect(await store.read(runId)).not.toEqual([])
      expect(await store.prune({ scope: 'scope', before: 30 })).toBe(0)
    })

    it('prune with a run id removes only this run, unless another run continues it', async ({ skip }) => {
      await using store = await open()
      if (store.prune === undefined) return skip('the store has no prune')
      await store.append(ended(begin('root', { at: 1 }), 2))
      await store.append(ended(begin('leaf', { at: 3, base: 'root' }), 4))
      await store.append(ended(begin('other', { at: 5 }), 6))
      expect(await store.prune({ scope: 'scope', before: 100, runId: 'root' })).toBe(0)
      expect(await store.prune({ scope: 'scope', before: 100, runId: 'leaf' })).toBe(1)
      expect(await store.prune({ scope: 'elsewhere', before: 100, runId: 'root' })).toBe(0)
      expect((await store.runs({ scope: 'scope' })).map(run => run.runId)).toEqual(['other', 'root'])
    })

    it('prune keeps notes and workflow definitions', async ({ skip }) => {
      await using store = await open()
      const { notes, workflows } = store
      if (store.prune === undefined || notes === undefined || workflows === undefined)
        return skip('the store lacks prune, notes or workflows')
      const note = await notes.put({ scope: 'scope', id: 'n', at: 1, text: 'x' })
      const workflow = await workflows.put({ scope: 'scope', name: 'w', at: 1, definition: {} })
      await store.append(ended(begin('old', {}), 20))
      expect(await store.prune({ scope: 'scope', before: Number.MAX_SAFE_INTEGER })).toBe(1)
      expect(await notes.list({ scope: 'scope' })).toEqual([note])
      expect(await workflows.list({ scope: 'scope' })).toEqual([workflow])
    })

    it('prune removes artifacts of sessions without runs', async ({ skip }) => {
      await using store = await open()
      const { artifacts } = store
      if (store.prune === undefined || artifacts === undefined) return skip('the store lacks prune or artifacts')
      await store.append(ended(begin('old', { sessionId: 'gone' }), 20))
      await store.append(begin('new', { sessionId: 'stays' }))
      await store.append(begin('elsewhere', { sessionId: 'gone', scope: 'other' }))
      const owners = [
        { scope: 'scope', sessionId: 'gone' },
        { scope: 'scope', sessionId: 'stays' },
        { scope: 'other', sessionId: 'gone' },
      ]
      const ids: string[] = []
      for (const owner of owners) ids.push(await artifacts.put(owner, { text: 'x', tool: 't', callId: 'c' }))
      const left = async (): Promise<boolean[]> =>
        Promise.all(owners.map(async (owner, index) => (await artifacts.get(owner, ids[index] ?? '')) !== undefined))
      await store.prune({ scope: 'scope', before: 30 })
      expect(await left()).toEqual([true, true, true])
      await store.prune({ scope: 'scope', before: Number.MAX_SAFE_INTEGER })
      expect(await left()).toEqual([false, true, true])
    })
  })
}

/** Tests how `prune` treats runs from which other runs descend. */
function describeAncestors(open: () => Promise<Store>): void {
  describe('with prune and runs that descend from each other', () => {
    it('prune removes old runs in one call, also if a run started before its parent by the clock of its worker', async ({
      skip,
    }) => {
      await using store = await open()
      if (store.prune === undefined) return skip('the store has no prune')
      await store.append(ended(begin('root', { at: 9 }), 10))
      await store.append(ended(begin('middle', { at: 5, base: 'root' }), 6))
      await store.append(ended(begin('leaf', { at: 1, base: 'middle' }), 2))
      expect(await store.prune({ scope: 'scope', before: 10 })).toBe(2)
      expect(await store.prune({ scope: 'scope', before: 11 })).toBe(1)
    })

    it('prune keeps every ancestor of a remaining run', async ({ skip }) => {
      await using store = await open()
      if (store.prune === undefined) return skip('the store has no prune')
      await store.append(ended(begin('root', { at: 1 }), 2))
      await store.append(ended(begin('middle', { at: 3, base: 'root' }), 4))
      await store.append(ended(begin('leaf', { at: 5, base: 'middle' }), 90))
      await store.append(ended(begin('side', { at: 5, base: 'root' }), 6))
      expect(await store.prune({ scope: 'scope', before: 50 })).toBe(1)
      expect((await store.runs({ scope: 'scope' })).map(run => run.runId)).toEqual(['leaf', 'middle', 'root'])
      expect(await store.prune({ scope: 'scope', before: 100 })).toBe(3)
      expect(await store.runs({ scope: 'scope' })).toEqual([])
    })
  })
}

function begin(runId: string, options: StartedOptions): JournalAppend {
  return { runId, expectedSeq: 0, worker: 'w', fence: 1, entries: [startedEntry(options), saidEntry('hi')] }
}

function ended(append: JournalAppend, at: number): JournalAppend {
  return { ...append, entries: [...append.entries, endedEntry({ seq: append.entries.length + 1, at })] }
}

function suspended(append: JournalAppend, at: number): JournalAppend {
  return { ...append, entries: [...append.entries, suspendedEntry({ seq: append.entries.length + 1, at })] }
}

function infoOf(error: unknown): unknown {
  return ParleyError.is(error) ? error.info : error
}

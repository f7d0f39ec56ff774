import type { ReadOptions, Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { describeClaims } from './describe-claims.ts'
import { describeIdentifiers } from './describe-identifiers.ts'
import { describeInbox } from './describe-inbox.ts'
import { describeQuotas } from './describe-quotas.ts'
import { describeReports } from './describe-reports.ts'
import { describeRunLists } from './describe-run-lists.ts'
import { describeSignals } from './describe-signals.ts'
import { describeStoreLaws } from './describe-store-laws.ts'
import { describeSessionPromises } from './describe-session-promises.ts'
import { describeWatching } from './describe-watching.ts'
import { by, refused } from './sample-append.ts'
import { endedEntry, resumedEntry, saidEntry, startedEntry, suspendedEntry } from './sample-entry.ts'
import { SUITE_TIMEOUT_MS } from './suite-timeout.ts'

/**
 * Tests every promise of `Store`.
 * @param open Opens an empty store. The suite disposes it.
 */
export function describeStoreContract(name: string, open: () => Promise<Store>): void {
  describe(`${name} keeps the Store contract`, { timeout: SUITE_TIMEOUT_MS }, () => {
    describeJournal(open)
    describeWriters(open)
    describeClaims(open)
    describeQueries(open)
    describeIdentifiers(open)
    describeSessionPromises(open)
    describeWatching(open)
    describeInbox(open)
    describeQuotas(open)
    describeRunLists(open)
    describeReports(open)
    describeSignals(open)
    describeStoreLaws(open)
  })
}

function describeJournal(open: () => Promise<Store>): void {
  it('read returns the entries of a run complete and in order', async () => {
    await using store = await open()
    const entries = [startedEntry(), saidEntry('one', { seq: 2 }), saidEntry('two', { seq: 3 })]
    await store.append(by('w', { entries: entries.slice(0, 2) }))
    await store.append(by('w', { expectedSeq: 2, entries: entries.slice(2) }))
    expect(await store.read('r')).toEqual(entries)
  })

  it('read returns only the entries after afterSeq', async () => {
    await using store = await open()
    await store.append(
      by('w', { entries: [startedEntry(), saidEntry('one', { seq: 2 }), saidEntry('two', { seq: 3 })] }),
    )
    expect((await store.read('r', { afterSeq: 1 })).map(entry => entry.seq)).toEqual([2, 3])
    expect(await store.read('r', { afterSeq: 3 })).toEqual([])
    expect(await store.read('r', { afterSeq: 99 })).toEqual([])
  })

  it('read returns at most limit entries, the first ones after afterSeq', async () => {
    await using store = await open()
    await store.append(
      by('w', { entries: [startedEntry(), saidEntry('one', { seq: 2 }), saidEntry('two', { seq: 3 })] }),
    )
    await store.append(by('w', { expectedSeq: 3, entries: [saidEntry('three', { seq: 4 })] }))
    await store.append(by('w', { expectedSeq: 4, entries: [saidEntry('four', { seq: 5 })] }))
    const numbers = async (options: ReadOptions): Promise<readonly number[]> =>
      (await store.read('r', options)).map(({ seq }) => seq)
    expect(await numbers({ limit: 1 })).toEqual([1])
    expect(await numbers({ limit: 4 })).toEqual([1, 2, 3, 4])
    expect(await numbers({ limit: 9 })).toEqual([1, 2, 3, 4, 5])
    expect(await numbers({ afterSeq: 1, limit: 1 })).toEqual([2])
    expect(await numbers({ afterSeq: 2, limit: 2 })).toEqual([3, 4])
    expect(await numbers({ afterSeq: 5, limit: 2 })).toEqual([])
  })

  it('the store returns no entries and no record for an unknown run', async () => {
    await using store = await open()
    expect(await store.read('r')).toEqual([])
    expect(await store.run('r')).toBeUndefined()
    expect(await store.runs({ scope: 'scope' })).toEqual([])
  })

  it('the record of a run is current with its journal', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry({ at: 10 })] }))
    const record = {
      runId: 'r',
      sessionId: 'session',
      scope: 'scope',
      agent: 'agent',
      model: 'test/model',
      relation: 'initial',
      status: 'running',
      seq: 1,
      startedAt: 10,
      updatedAt: 10,
    }
    expect(await store.run('r')).toEqual(record)
    await store.append(
      by('w', { expectedSeq: 1, entries: [saidEntry('hi', { at: 11 }), endedEntry({ seq: 3, at: 12 })] }),
    )
    const { usage } = endedEntry()
    const ended = { ...record, status: 'cancelled', preview: 'hi', usage, seq: 3, updatedAt: 12 }
    expect(await store.run('r')).toEqual(ended)
  })

  it('the record of a suspended run is running again after the run is resumed', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry(), suspendedEntry({ seq: 2 })] }))
    expect((await store.run('r'))?.status).toBe('suspended')
    await store.append(by('w', { expectedSeq: 2, entries: [resumedEntry({ seq: 3 })] }))
    expect((await store.run('r'))?.status).toBe('running')
    expect(await store.runs({ scope: 'scope', status: 'suspended' })).toEqual([])
  })

  it('a first append without run.started is rejected', async () => {
    await using store = await open()
    await expect(store.append(by('w', { entries: [saidEntry('hi', { seq: 1 })] }))).rejects.toBeInstanceOf(Error)
    expect(await store.run('r')).toBeUndefined()
  })

  it('an append adds all its entries or none', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry()] }))
    const gap = [saidEntry('two', { seq: 2 }), saidEntry('four', { seq: 4 })]
    await expect(store.append(by('w', { expectedSeq: 1, entries: gap }))).rejects.toBeInstanceOf(Error)
    const restart = [saidEntry('two', { seq: 2 }), startedEntry({ seq: 3 })]
    await expect(store.append(by('w', { expectedSeq: 1, entries: restart }))).rejects.toBeInstanceOf(Error)
    expect(await store.read('r')).toHaveLength(1)
    expect((await store.run('r'))?.seq).toBe(1)
  })

  it('the store keeps a journal of thousands of entries and an entry of several megabytes', async () => {
    await using store = await open()
    const many = Array.from({ length: 2_000 }, (_, index) => saidEntry(`entry ${index}`, { seq: index + 2 }))
    const big = saidEntry('x'.repeat(5_000_000), { seq: 2_002 })
    await store.append(by('w', { entries: [startedEntry(), ...many, big] }))
    const entries = await store.read('r', { afterSeq: 1 })
    expect(entries.map(entry => entry.seq)).toEqual(Array.from({ length: 2_001 }, (_, index) => index + 2))
    expect(entries.at(-1)).toEqual(big)
  })

  it('the store can be closed twice', async () => {
    const store = await open()
    await store[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
  })
}

function describeWriters(open: () => Promise<Store>): void {
  it('an append with an outdated expectedSeq is rejected with store-conflict', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry(), saidEntry('one', { seq: 2 })] }))
    const stale = store.append(by('w', { expectedSeq: 1, entries: [saidEntry('other', { seq: 2 })] }))
    await refused(stale, { code: 'store-conflict', runId: 'r', expected: 1, actual: 2 })
    expect(await store.read('r', { afterSeq: 1 })).toEqual([saidEntry('one', { seq: 2 })])
  })

  it('an append with a too large expectedSeq is rejected with store-conflict', async () => {
    await using store = await open()
    const lost = store.append(by('w', { expectedSeq: 4, entries: [saidEntry('five', { seq: 5 })] }))
    await refused(lost, { code: 'store-conflict', runId: 'r', expected: 4, actual: 0 })
  })

  it('a second first append of a run is rejected with store-conflict', async () => {
    await using store = await open()
    await store.append(by('w1', { entries: [startedEntry({ sessionId: 'first' })] }))
    const second = store.append(by('w2', { entries: [startedEntry({ sessionId: 'second' })] }))
    await refused(second, { code: 'store-conflict', runId: 'r', expected: 0, actual: 1 })
    expect((await store.run('r'))?.sessionId).toBe('first')
  })

  it('exactly one of several concurrent appends succeeds', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry()] }))
    const writers = Array.from({ length: 8 }, (_, index) =>
      store.append(by('w', { expectedSeq: 1, entries: [saidEntry(`writer ${index}`)] })),
    )
    const settled = await Promise.allSettled(writers)
    expect(settled.filter(result => result.status === 'fulfilled')).toHaveLength(1)
    const winner = settled.findIndex(result => result.status === 'fulfilled')
    expect(await store.read('r', { afterSeq: 1 })).toEqual([saidEntry(`writer ${winner}`)])
  })

  it('concurrent appends to different runs do not mix', async () => {
    await using store = await open()
    const ids = Array.from({ length: 20 }, (_, index) => `run-${index}`)
    const write = async (runId: string): Promise<void> => {
      await store.append(by('w', { runId, entries: [startedEntry()] }))
      await store.append(by('w', { runId, expectedSeq: 1, entries: [saidEntry(runId), endedEntry({ seq: 3 })] }))
    }
    await Promise.all(ids.map(write))
    for (const runId of ids) expect((await store.read(runId))[1]).toEqual(saidEntry(runId))
  })

  it('an append is rejected with store-fenced after another worker has claimed the run', async () => {
    await using store = await open()
    await store.append(by('w1', { entries: [startedEntry()] }))
    await store.claim({ runId: 'r', worker: 'w2', at: 0 })
    const late = store.append(by('w1', { expectedSeq: 1, entries: [saidEntry('late')] }))
    await refused(late, { code: 'store-fenced', runId: 'r' })
    expect(await store.read('r')).toHaveLength(1)
    await store.append(by('w2', { expectedSeq: 1, fence: 2, entries: [saidEntry('mine')] }))
    expect(await store.read('r', { afterSeq: 1 })).toEqual([saidEntry('mine')])
  })

  it('an append with the fence of an earlier claim of the same worker is rejected with store-fenced', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry()] }))
    await store.claim({ runId: 'r', worker: 'w', at: 0 })
    const late = store.append(by('w', { expectedSeq: 1, entries: [saidEntry('late')] }))
    await refused(late, { code: 'store-fenced', runId: 'r' })
  })

  it('an append of a worker without a claim is rejected with store-fenced', async () => {
    await using store = await open()
    await store.append(by('w1', { entries: [startedEntry()] }))
    const stranger = store.append(by('w2', { expectedSeq: 1, entries: [saidEntry('hi')] }))
    await refused(stranger, { code: 'store-fenced', runId: 'r' })
  })
}

function describeQueries(open: () => Promise<Store>): void {
  it('runs are listed newest first, then by descending id', async () => {
    await using store = await open()
    const starts = [
      ['b', 2],
      ['c', 3],
      ['a', 9],
      ['d', 3],
    ] as const
    for (const [runId, at] of starts) await store.append(by('w', { runId, entries: [startedEntry({ at })] }))
    expect((await store.runs({ scope: 'scope' })).map(run => run.runId)).toEqual(['a', 'd', 'c', 'b'])
    expect((await store.runs({ scope: 'scope', limit: 2 })).map(run => run.runId)).toEqual(['a', 'd'])
  })

  it('runs lists at most 100 runs by default', async () => {
    await using store = await open()
    for (let index = 0; index < 101; index++) {
      await store.append(by('w', { runId: `run-${index}`, entries: [startedEntry({ at: index })] }))
    }
    expect(await store.runs({ scope: 'scope' })).toHaveLength(100)
    expect(await store.runs({ scope: 'scope', limit: 1_000 })).toHaveLength(101)
  })

  it('runs of another scope are never listed', async () => {
    await using store = await open()
    await store.append(by('w', { runId: 'mine', entries: [startedEntry({ scope: 'north' })] }))
    await store.append(by('w', { runId: 'other', entries: [startedEntry({ scope: 'south' })] }))
    expect((await store.runs({ scope: 'north' })).map(run => run.runId)).toEqual(['mine'])
    expect((await store.runs({ scope: 'north', sessionId: 'session' })).map(run => run.runId)).toEqual(['mine'])
    expect((await store.runs({ scope: 'north', status: 'running' })).map(run => run.runId)).toEqual(['mine'])
    expect(await store.runs({ scope: '' })).toEqual([])
  })

  it('runs can be listed by session and status', async () => {
    await using store = await open()
    await store.append(by('w', { runId: 'a', entries: [startedEntry({ at: 1, sessionId: 's1' }), endedEntry()] }))
    await store.append(by('w', { runId: 'b', entries: [startedEntry({ at: 2, sessionId: 's1' })] }))
    await store.append(by('w', { runId: 'c', entries: [startedEntry({ at: 3, sessionId: 's2' })] }))
    const list = async (query: object): Promise<string[]> =>
      (await store.runs({ scope: 'scope', ...query })).map(run => run.runId)
    expect(await list({ sessionId: 's1' })).toEqual(['b', 'a'])
    expect(await list({ status: 'running' })).toEqual(['c', 'b'])
    expect(await list({ status: 'cancelled' })).toEqual(['a'])
    expect(await list({ sessionId: 's1', status: 'running' })).toEqual(['b'])
  })

  it('runs can be listed by agent, relation and parent', async () => {
    await using store = await open()
    const start = (runId: string, at: number, from: Partial<ReturnType<typeof startedEntry>>): Promise<void> =>
      store.append(by('w', { runId, entries: [{ ...startedEntry({ at }), ...from }, endedEntry()] }))
    await start('a', 1, {})
    await start('b', 2, { relation: 'continue', base: { runId: 'a', seq: 2 } })
    await start('c', 3, { agent: 'other', relation: 'branch', base: { runId: 'a', seq: 1 } })
    await start('d', 4, { relation: 'rerun', base: { runId: 'a', seq: 2 }, origin: 'b' })
    const list = async (query: object): Promise<string[]> =>
      (await store.runs({ scope: 'scope', ...query })).map(run => run.runId)
    expect(await list({ relation: 'initial' })).toEqual(['a'])
    expect(await list({ relation: 'branch' })).toEqual(['c'])
    expect(await list({ parent: 'a' })).toEqual(['c', 'b'])
    expect(await list({ parent: 'b' })).toEqual(['d'])
    expect(await list({ parent: 'a', relation: 'continue', status: 'cancelled' })).toEqual(['b'])
    expect(await list({ agent: 'other' })).toEqual(['c'])
    expect(await list({ agent: 'other', relation: 'initial' })).toEqual([])
    expect(await list({ parent: 'nobody' })).toEqual([])
  })
}

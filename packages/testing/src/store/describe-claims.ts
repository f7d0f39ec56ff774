import type { Store } from '@parley/core'
import { expect, it } from 'vitest'
import { by, refused } from './sample-append.ts'
import { resumedEntry, saidEntry, startedEntry, suspendedEntry } from './sample-entry.ts'

/** Tests which worker may write a run. */
export function describeClaims(open: () => Promise<Store>): void {
  describeRaces(open)

  it('each granted claim has a higher fence than the one before', async () => {
    await using store = await open()
    await store.append(by('w1', { entries: [startedEntry()] }))
    expect(await store.claim({ runId: 'r', worker: 'w2', at: 0 })).toEqual({ granted: true, fence: 2 })
    expect(await store.claim({ runId: 'r', worker: 'w1', at: 0 })).toEqual({ granted: true, fence: 3 })
  })

  it("a claim returns the live holder of the run, and is granted after the holder's heartbeat has lapsed", async () => {
    await using store = await open()
    await store.heartbeat({ worker: 'w1', at: 100, ttlMs: 50 })
    await store.append(by('w1', { entries: [startedEntry()] }))
    expect(await store.claim({ runId: 'r', worker: 'w2', at: 149 })).toEqual({
      granted: false,
      worker: 'w1',
      aliveUntil: 150,
    })
    expect(await store.claim({ runId: 'r', worker: 'w2', at: 150 })).toEqual({ granted: true, fence: 2 })
  })

  it('a claim that is not granted does not change the claim of the holder', async () => {
    await using store = await open()
    await store.heartbeat({ worker: 'w1', at: 0, ttlMs: 50 })
    await store.append(by('w1', { entries: [startedEntry()] }))
    await store.claim({ runId: 'r', worker: 'w2', at: 1 })
    await store.append(by('w1', { expectedSeq: 1, entries: [saidEntry('still mine')] }))
    expect(await store.read('r')).toHaveLength(2)
  })

  it('a live worker can claim its own run again', async () => {
    await using store = await open()
    await store.heartbeat({ worker: 'w1', at: 0, ttlMs: 50 })
    await store.append(by('w1', { entries: [startedEntry()] }))
    expect(await store.claim({ runId: 'r', worker: 'w1', at: 1 })).toEqual({ granted: true, fence: 2 })
  })

  it('a claim takes a run from a live worker only with force', async () => {
    await using store = await open()
    await store.heartbeat({ worker: 'w1', at: 0, ttlMs: 50 })
    await store.append(by('w1', { entries: [startedEntry()] }))
    const claim = { runId: 'r', worker: 'w2', at: 1 }
    expect(await store.claim({ ...claim, force: false })).toEqual({ granted: false, worker: 'w1', aliveUntil: 50 })
    expect(await store.claim({ ...claim, force: true })).toEqual({ granted: true, fence: 2 })
  })

  it('a heartbeat keeps every claim of its worker and of no other worker', async () => {
    await using store = await open()
    for (const runId of ['a', 'b']) await store.append(by('w1', { runId, entries: [startedEntry()] }))
    await store.append(by('w2', { runId: 'c', entries: [startedEntry()] }))
    await store.heartbeat({ worker: 'w1', at: 0, ttlMs: 10 })
    await store.heartbeat({ worker: 'w1', at: 9, ttlMs: 10 })
    expect(await store.claim({ runId: 'a', worker: 'w3', at: 18 })).toMatchObject({ granted: false, aliveUntil: 19 })
    expect(await store.claim({ runId: 'b', worker: 'w3', at: 18 })).toMatchObject({ granted: false, aliveUntil: 19 })
    expect(await store.claim({ runId: 'c', worker: 'w3', at: 18 })).toEqual({ granted: true, fence: 2 })
  })

  it('a heartbeat of 0 ms releases every claim of the worker', async () => {
    await using store = await open()
    await store.heartbeat({ worker: 'w1', at: 0, ttlMs: 1_000 })
    await store.append(by('w1', { entries: [startedEntry()] }))
    await store.heartbeat({ worker: 'w1', at: 1, ttlMs: 0 })
    expect(await store.claim({ runId: 'r', worker: 'w2', at: 1 })).toEqual({ granted: true, fence: 2 })
  })
}

/** Tests claims that compete with each other, or with the appends of earlier claims. */
function describeRaces(open: () => Promise<Store>): void {
  it('prune keeps a heartbeat that lasts until the time of the prune', async ({ skip }) => {
    await using store = await open()
    if (store.prune === undefined) return skip('the store has no prune')
    await store.heartbeat({ worker: 'w1', at: 0, ttlMs: 100 })
    await store.append(by('w1', { entries: [startedEntry()] }))
    await store.prune({ scope: 'scope', before: 100 })
    const claim = { runId: 'r', worker: 'w2', at: 99 }
    expect(await store.claim(claim)).toEqual({ granted: false, worker: 'w1', aliveUntil: 100 })
    await store.prune({ scope: 'scope', before: 101 })
    expect(await store.claim(claim)).toEqual({ granted: true, fence: 2 })
  })

  it('exactly one of several concurrent claims of a lapsed run is granted', async () => {
    await using store = await open()
    await store.append(by('dead', { entries: [startedEntry()] }))
    const workers = Array.from({ length: 6 }, (_, index) => `w${index}`)
    for (const worker of workers) await store.heartbeat({ worker, at: 0, ttlMs: 100 })
    const claims = await Promise.all(workers.map(worker => store.claim({ runId: 'r', worker, at: 1 })))
    const winner = workers[claims.findIndex(claim => claim.granted)]
    expect(claims.filter(claim => claim.granted)).toEqual([{ granted: true, fence: 2 }])
    const losers = claims.filter(claim => !claim.granted)
    expect(losers.map(claim => claim.worker)).toEqual([winner, winner, winner, winner, winner])
  })

  it('a claim takes a suspended run from a live worker, and the first append of each earlier claim is rejected', async () => {
    await using store = await open()
    for (const worker of ['w1', 'w2', 'w3']) await store.heartbeat({ worker, at: 0, ttlMs: 50 })
    await store.append(by('w1', { entries: [startedEntry(), suspendedEntry()] }))
    expect(await store.claim({ runId: 'r', worker: 'w2', at: 1 })).toEqual({ granted: true, fence: 2 })
    expect(await store.claim({ runId: 'r', worker: 'w3', at: 1 })).toEqual({ granted: true, fence: 3 })
    const resume = { expectedSeq: 2, entries: [resumedEntry({ seq: 3 })] }
    await refused(store.append(by('w2', { ...resume, fence: 2 })), { code: 'store-fenced', runId: 'r' })
    await store.append(by('w3', { ...resume, fence: 3 }))
    expect(await store.claim({ runId: 'r', worker: 'w2', at: 1 })).toMatchObject({ granted: false, worker: 'w3' })
  })

  it('a claim of an unknown run fails with run-unknown', async () => {
    await using store = await open()
    const claim = store.claim({ runId: 'r', worker: 'w', at: 0 })
    await expect(claim).rejects.toMatchObject({ name: 'ParleyError', info: { code: 'run-unknown', runId: 'r' } })
  })

  it('a claim changes neither journal nor record', async () => {
    await using store = await open()
    await store.append(by('w1', { entries: [startedEntry()] }))
    const before = await store.run('r')
    await store.claim({ runId: 'r', worker: 'w2', at: 5_000 })
    expect(await store.run('r')).toEqual(before)
    expect(await store.read('r')).toEqual([startedEntry()])
  })

  it('a worker that claims its own run again appends with the new fence only', async () => {
    await using store = await open()
    await store.append(by('w', { entries: [startedEntry()] }))
    await store.append(by('w', { expectedSeq: 1, entries: [saidEntry('one', { seq: 2 })] }))
    expect(await store.claim({ runId: 'r', worker: 'w', at: 0 })).toEqual({ granted: true, fence: 2 })
    const next = { expectedSeq: 2, entries: [saidEntry('two', { seq: 3 })] }
    await refused(store.append(by('w', { ...next, fence: 3 })), { code: 'store-fenced', runId: 'r' })
    await store.append(by('w', { ...next, fence: 2 }))
    await store.claim({ runId: 'r', worker: 'w', at: 0 })
    const last = { expectedSeq: 3, entries: [saidEntry('three', { seq: 4 })] }
    await refused(store.append(by('w', { ...last, fence: 2 })), { code: 'store-fenced', runId: 'r' })
    await store.append(by('w', { ...last, fence: 3 }))
    expect((await store.read('r')).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })
}

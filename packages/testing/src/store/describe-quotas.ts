import type { QuotaCount, Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { rejectAll } from './describe-signals.ts'
import { endedEntry, resumedEntry, saidEntry, startedEntry } from './sample-entry.ts'

/** Tests the quotas of a store. */
export function describeQuotas(open: () => Promise<Store>): void {
  describe('with quotas', () => {
    describeTotals(open)
    describeRuns(open)
  })
}

function describeTotals(open: () => Promise<Store>): void {
  it('an append adds its counts to the totals of their scope, owner and window only', async ({ skip }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    const other = count({ owner: 'agents.a', tokens: 7, cost: 0.5 })
    await store.append({ ...first, counts: [count({ runs: 1, tokens: 10, cost: 0.25 }), other] })
    await store.append({ ...next, counts: [count({ tokens: 5, cost: 0.125 })] })
    const keys = [DAY, { ...DAY, owner: 'agents.a' }, { ...DAY, scope: 'other' }, { ...DAY, since: 1 }]
    expect(await quotas.totals([...keys, { ...DAY, until: 5 }, ALWAYS])).toEqual([
      { runs: 1, tokens: 15, cost: 0.375 },
      { runs: 0, tokens: 7, cost: 0.5 },
      ...Array.from({ length: 4 }, () => NOTHING),
    ])
    expect(await quotas.totals([])).toEqual([])
    await rejectAll([options => quotas.totals([DAY], options)])
  })

  it('an append that the store refuses, or that has no entries, counts nothing', async ({ skip }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    const counts = [count({ runs: 1, tokens: 10 })]
    await store.append({ ...first, counts })
    for (const [append, code] of [
      [{ ...first, counts }, 'store-conflict'],
      [{ ...next, fence: 9, counts }, 'store-fenced'],
      [{ ...next, entries: [saidEntry('gap', { seq: 7 })], counts }, 'internal'],
      [{ ...first, runId: 'r2', sessionHead: null, counts }, 'session-busy'],
    ] as const) {
      await expect(store.append(append)).rejects.toMatchObject({ info: { code } })
    }
    await store.append({ ...next, entries: [], counts })
    expect(await quotas.totals([DAY])).toEqual([{ runs: 1, tokens: 10, cost: 0 }])
  })

  it('a total without a window keeps its count, and prune removes only totals of windows that ended before', async ({
    skip,
  }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    if (store.prune === undefined) return
    const elsewhere = count({ scope: 'other', tokens: 2 })
    await store.append({ ...first, counts: [count({ tokens: 1 }), count({ ...ALWAYS, tokens: 3 }), elsewhere] })
    await store.prune({ scope: 'scope', before: DAY.until - 1 })
    expect(await quotas.totals([DAY])).toMatchObject([{ tokens: 1 }])
    await store.prune({ scope: 'scope', before: DAY.until })
    const left = await quotas.totals([DAY, ALWAYS, { ...DAY, scope: 'other' }])
    expect(left.map(({ tokens }) => tokens)).toEqual([0, 3, 2])
  })

  it('concurrent appends of many runs count exactly, in whatever order they name their totals', async ({ skip }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    const both = [count({ tokens: 1, cost: 0.5 }), count({ owner: 'agents.a', tokens: 2 })]
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const run = { runId: `r${index}`, counts: index % 2 === 0 ? both : both.toReversed() }
        await store.append({ ...first, ...run })
        await store.append({ ...next, ...run })
      }),
    )
    expect(await quotas.totals([DAY, { ...DAY, owner: 'agents.a' }])).toEqual([
      { runs: 0, tokens: 40, cost: 20 },
      { runs: 0, tokens: 80, cost: 0 },
    ])
  })
}

function describeRuns(open: () => Promise<Store>): void {
  it('a run above maxRuns is refused with quota-exceeded, and leaves no journal and no count', async ({ skip }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    const limited = count({ runs: 1, maxRuns: 2 })
    const free = count({ owner: 'agents.a', runs: 1, tokens: 4 })
    for (const runId of ['a', 'b']) await store.append({ ...first, runId, counts: [free, limited] })
    await expect(store.append({ ...first, runId: 'c', counts: [free, limited] })).rejects.toMatchObject({
      info: { code: 'quota-exceeded', quota: 'maxRuns', owner: 'runtime', max: 2, value: 2 },
    })
    expect(await store.read('c')).toEqual([])
    expect(await store.run('c')).toBeUndefined()
    expect(await quotas.totals([DAY, { ...DAY, owner: 'agents.a' }])).toMatchObject([
      { runs: 2 },
      { runs: 2, tokens: 8 },
    ])
    await store.append({ ...next, runId: 'a', counts: [{ ...limited, runs: 0, tokens: 1 }] })
    await store.append({ ...first, runId: 'c', counts: [{ ...limited, since: DAY.until, until: 2 * DAY.until }] })
  })

  it('exactly maxRuns of many concurrent first appends succeed', async ({ skip }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    const starts = Array.from({ length: 12 }, (_, index) =>
      store.append({ ...first, runId: `r${index}`, counts: [count({ runs: 1, maxRuns: 5 })] }),
    )
    const settled = await Promise.allSettled(starts)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await quotas.totals([DAY])).toMatchObject([{ runs: 5 }])
    expect(await store.runs({ scope: 'scope' })).toHaveLength(5)
  })

  it('counts do not change what an append promises about claims and inboxes', async ({ skip }) => {
    await using store = await open()
    const quotas = store.quotas ?? skip('the store has no quotas')
    await store.append({ ...first, counts: [count({ runs: 1 })] })
    await store.claim({ runId: 'r', worker: 'other', at: 2_000 })
    const theirs = { ...next, worker: 'other', fence: 2 }
    await store.append({ ...theirs, entries: [resumedEntry()], counts: [count({ tokens: 1 })] })
    await expect(store.append({ ...next, expectedSeq: 2, counts: [count({ tokens: 9 })] })).rejects.toMatchObject({
      info: { code: 'store-fenced' },
    })
    const end = { ...theirs, expectedSeq: 2, entries: [endedEntry({ seq: 3 })], counts: [count({ tokens: 2 })] }
    await store.append(end)
    expect(await store.run('r')).toMatchObject({ status: 'cancelled', seq: 3 })
    expect(await quotas.totals([DAY])).toEqual([{ runs: 1, tokens: 3, cost: 0 }])
  })
}

const DAY = { scope: 'scope', owner: 'runtime', since: 0, until: 86_400_000 }
const ALWAYS = { ...DAY, until: Number.MAX_SAFE_INTEGER }
const NOTHING = { runs: 0, tokens: 0, cost: 0 }
const first = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0, entries: [startedEntry()] }
const next = { ...first, expectedSeq: 1, entries: [saidEntry('more')] }

function count(changes: Partial<QuotaCount>): QuotaCount {
  return { ...DAY, ...NOTHING, ...changes }
}

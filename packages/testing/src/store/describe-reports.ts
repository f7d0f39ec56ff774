import type { ModelUsage, Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { rejectAll } from './describe-signals.ts'
import { endedEntry, startedEntry } from './sample-entry.ts'

const DAY_MS = 86_400_000

/** Tests the reports of a store. */
export function describeReports(open: () => Promise<Store>): void {
  describe('with reports', () => {
    it('the usage report adds up what ended runs used, by agent, model and day', async ({ skip }) => {
      await using store = await open()
      const reports = store.reports ?? skip('the store makes no reports')
      await run(store, 'a', { at: 0, models: [used('m', 1), used('n', 2)] })
      await run(store, 'b', { at: 1, models: [used('m', 3)], agent: 'other' })
      await run(store, 'c', { at: DAY_MS, models: [used('m', 4)] })
      await run(store, 'd', { at: 5, models: [used('m', 100)], scope: 'elsewhere' })
      await store.append(firstOf('e', { agent: 'running' }))
      expect(await reports.usage({ scope: 'scope' })).toEqual([total({ runs: 3, calls: 4 }, 10)])
      expect(await reports.usage({ scope: 'scope', by: ['model'] })).toEqual([
        { model: 'm', ...total({ runs: 3, calls: 3 }, 8) },
        { model: 'n', ...total({ runs: 1, calls: 1 }, 2) },
      ])
      expect(await reports.usage({ scope: 'scope', by: ['agent', 'day'] })).toEqual([
        { day: '1970-01-02', agent: 'agent', ...total({ runs: 1, calls: 1 }, 4) },
        { day: '1970-01-01', agent: 'agent', ...total({ runs: 1, calls: 2 }, 3) },
        { day: '1970-01-01', agent: 'other', ...total({ runs: 1, calls: 1 }, 3) },
      ])
      expect(await reports.usage({ scope: 'scope', since: 1, until: DAY_MS })).toEqual([
        total({ runs: 1, calls: 1 }, 3),
      ])
      expect(await reports.usage({ scope: 'nobody' })).toEqual([total({ runs: 0, calls: 0 }, 0)])
      expect(await reports.usage({ scope: 'nobody', by: ['day'] })).toEqual([])
      await rejectAll([options => reports.usage({ scope: 'scope' }, options)])
    })

    it('a pruned run no longer counts, and a run without model calls never does', async ({ skip }) => {
      await using store = await open()
      const reports = store.reports ?? skip('the store makes no reports')
      await run(store, 'a', { at: 1, models: [used('m', 1)] })
      await run(store, 'b', { at: 2 })
      expect(await reports.usage({ scope: 'scope' })).toMatchObject([{ runs: 1 }])
      if (store.prune === undefined) return
      await store.prune({ scope: 'scope', before: 10 })
      expect(await reports.usage({ scope: 'scope', by: ['model'] })).toEqual([])
    })

    it('the report of workers names each worker with the end of its heartbeat and its running runs', async ({
      skip,
    }) => {
      await using store = await open()
      const reports = store.reports ?? skip('the store makes no reports')
      await store.append(firstOf('a', { worker: 'w2' }))
      await store.append(firstOf('b', { worker: 'w1' }))
      await store.append(firstOf('c', { worker: 'w1' }))
      await store.append(firstOf('d', { worker: 'w3', scope: 'elsewhere' }))
      await run(store, 'e', { at: 1 })
      await store.heartbeat({ worker: 'w1', at: 10, ttlMs: 5 })
      expect(await reports.workers({ scope: 'scope' })).toEqual([
        { worker: 'w1', aliveUntil: 15, runs: 2 },
        { worker: 'w2', aliveUntil: 0, runs: 1 },
      ])
      expect(await reports.workers({ scope: 'nobody' })).toEqual([])
      await rejectAll([options => reports.workers({ scope: 'scope' }, options)])
    })
  })
}

function used(model: string, input: number): ModelUsage {
  return { model, calls: 1, usage: usageOf(input), cost: { usd: input / 8 } }
}

function total(counts: { readonly runs: number; readonly calls: number }, input: number) {
  return { ...counts, usage: usageOf(input), usd: input / 8 }
}

function usageOf(input: number) {
  return { input, output: 2 * input, reasoning: input, cacheRead: 3 * input, cacheWrite: 4 * input }
}

interface First {
  readonly worker?: string
  readonly agent?: string
  readonly scope?: string
}

function firstOf(runId: string, { worker = 'w', ...identity }: First) {
  return { runId, worker, fence: 1, expectedSeq: 0, entries: [startedEntry({ at: 0, ...identity })] }
}

interface Ended extends First {
  readonly at: number
  readonly models?: ModelUsage[]
}

async function run(store: Store, runId: string, { at, models, ...first }: Ended): Promise<void> {
  const begun = firstOf(runId, first)
  await store.append(begun)
  const ended = endedEntry({ seq: 2, at, ...(models === undefined ? {} : { models }) })
  await store.append({ ...begun, expectedSeq: 1, entries: [ended] })
}

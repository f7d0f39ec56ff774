import {
  addUsage,
  orderUsageTotals,
  ZERO_USAGE,
  type EntryOf,
  type ModelUsage,
  type RunReports,
  type UsageField,
  type UsageTotal,
  type WorkerRecord,
} from '@parley/core'
import type { MemoryJournal } from './memory-journal.ts'

/** Makes reports by looking at every run in the memory of this process. */
export function createMemoryReports(
  journals: ReadonlyMap<string, MemoryJournal>,
  aliveUntil: ReadonlyMap<string, number>,
): RunReports {
  return {
    usage: async ({ scope, since = -Infinity, until = Infinity, by = [] }, { signal } = {}) => {
      signal?.throwIfAborted()
      const fields = [...new Set(by)]
      const totals = new Map<string, Counted>()
      if (fields.length === 0) totals.set(JSON.stringify({}), { ...EMPTY, key: {}, runs: new Set() })
      for (const { record, entries } of journals.values()) {
        const ended = entries.findLast(entry => entry.type === 'run.ended')
        if (record.scope !== scope || ended === undefined || ended.at < since || ended.at >= until) continue
        for (const used of ended.models ?? []) {
          const key = keyOf(fields, { agent: record.agent, model: used.model, ended })
          const name = JSON.stringify(key)
          totals.set(name, add(totals.get(name) ?? { ...EMPTY, key, runs: new Set() }, record.runId, used))
        }
      }
      return orderUsageTotals(
        [...totals.values()].map(({ key, runs, ...sums }) => ({ ...key, runs: runs.size, ...sums })),
      )
    },
    workers: async ({ scope }, { signal } = {}) => {
      signal?.throwIfAborted()
      const found = new Map<string, WorkerRecord>()
      for (const { record, worker } of journals.values()) {
        if (record.scope !== scope || record.status !== 'running') continue
        const runs = (found.get(worker)?.runs ?? 0) + 1
        found.set(worker, { worker, aliveUntil: aliveUntil.get(worker) ?? 0, runs })
      }
      return [...found.values()].toSorted((a, b) => (a.worker < b.worker ? -1 : 1))
    },
  }
}

type Key = Pick<UsageTotal, UsageField>
type Counted = Pick<UsageTotal, 'calls' | 'usage' | 'usd'> & { readonly key: Key; readonly runs: Set<string> }

const EMPTY = { calls: 0, usage: ZERO_USAGE, usd: 0 }

function keyOf(
  fields: readonly UsageField[],
  { agent, model, ended }: { agent: string; model: string; ended: EntryOf<'run.ended'> },
): Key {
  const values = { agent, model, day: new Date(ended.at).toISOString().slice(0, 10) }
  return Object.fromEntries(
    (['day', 'agent', 'model'] as const).filter(field => fields.includes(field)).map(field => [field, values[field]]),
  )
}

function add({ key, runs, calls, usage, usd }: Counted, runId: string, used: ModelUsage): Counted {
  // The report counts the cache writes of an hour with the others.
  const { cacheWrite1h: _hour, ...counted } = used.usage
  return {
    key,
    runs: runs.add(runId),
    calls: calls + used.calls,
    usage: addUsage(usage, counted),
    usd: usd + (used.cost?.usd ?? 0),
  }
}

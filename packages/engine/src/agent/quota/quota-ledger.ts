import {
  totalTokens,
  type Entry,
  type MemoryQuotas,
  type QuotaCount,
  type QuotaTotal,
  type RunFacts,
} from '@parley/core'
import type { QuotaHolder } from './quota-holder.ts'

/** The run whose entries are counted. */
interface CountedRun {
  readonly agent: { readonly quotas: readonly QuotaHolder[] }
  readonly facts: RunFacts
  readonly runtime: { readonly processQuotas?: MemoryQuotas | undefined }
}

/** Computes what the entries of a run add to the totals of quotas. */
export class QuotaLedger {
  readonly #run: CountedRun
  /** The quotas of the agent that answered when the entry was recorded: a handoff may follow before the append. */
  #quotas: WeakMap<Entry, readonly QuotaHolder[]> | undefined

  constructor(run: CountedRun) {
    this.#run = run
  }

  /**
   * Notes which quotas an entry counts for. Counts it at once if the runtime has no store.
   * @throws ParleyError `quota-exceeded` if the runtime has no store, and its totals allow no further run; `config-invalid` if a
   * quota's `key` returns no text.
   */
  note(entry: Entry): void {
    const { quotas } = this.#run.agent
    if (quotas.length === 0 || !quotas.some(({ counts }) => counts) || spentBy(entry) === undefined) return
    this.#quotas ??= new WeakMap()
    this.#quotas.set(entry, quotas)
    // A key that is invalid fails here, where the run can still record its failure. An append cannot.
    for (const holder of quotas) if (holder.counts) holder.ownerFor(this.#run.facts)
    const { processQuotas } = this.#run.runtime
    processQuotas?.add(this.countsOf([entry]) ?? [])
  }

  /** Returns the counts of the entries of an append. `undefined` if none of them counts. */
  countsOf(entries: readonly Entry[]): readonly QuotaCount[] | undefined {
    if (this.#quotas === undefined) return undefined
    const counts = new Map<string, QuotaCount>()
    for (const entry of entries) {
      const spent = spentBy(entry)
      if (spent === undefined) continue
      for (const holder of this.#quotas.get(entry) ?? []) this.#add(counts, holder, { at: entry.at, ...spent })
    }
    return counts.size === 0 ? undefined : [...counts.values()]
  }

  #add(counts: Map<string, QuotaCount>, holder: QuotaHolder, { at, ...spent }: QuotaTotal & { at: number }): void {
    if (!holder.counts) return
    const key = holder.keyAt(at, this.#run.facts)
    const id = `${key.owner} ${key.since}`
    const { runs = 0, tokens = 0, cost = 0 } = counts.get(id) ?? {}
    const sum = { runs: runs + spent.runs, tokens: tokens + spent.tokens, cost: cost + spent.cost }
    // A run that has begun continues, even if the limit was lowered in the meantime.
    const maxRuns = sum.runs === 0 ? undefined : holder.quota.maxRuns
    counts.set(id, { ...key, ...sum, ...(maxRuns === undefined ? {} : { maxRuns }) })
  }
}

/**
 * Returns what an entry adds to the totals. `undefined` for most entries. The tokens of a child run are counted from
 * its own journal, and it does not count as a run.
 */
function spentBy(entry: Entry): QuotaTotal | undefined {
  if (entry.type === 'run.started') return entry.parent === undefined ? { runs: 1, tokens: 0, cost: 0 } : undefined
  if (entry.type !== 'model.called' && entry.type !== 'model.failed' && entry.type !== 'context.compacted')
    return undefined
  return { runs: 0, tokens: totalTokens(entry.usage), cost: entry.cost?.usd ?? 0 }
}

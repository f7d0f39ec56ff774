import { ParleyError } from '../../errors/parley-error.ts'
import type { QuotaCount, QuotaKey, QuotaStore, QuotaTotal } from '../quota-store.ts'

/** Totals of quotas in the memory of this process. */
export interface MemoryQuotas extends QuotaStore {
  /** Adds all counts or none. @throws ParleyError `quota-exceeded`. */
  add(counts: readonly QuotaCount[]): void
  /** Returns the total of a key. */
  total(key: QuotaKey): QuotaTotal
  /** Removes the totals of a scope's windows that ended before this time. */
  removeEnded(scope: string, before: number): void
}

const NOTHING: QuotaTotal = { runs: 0, tokens: 0, cost: 0 }

/** Creates a quota store that keeps its totals in the memory of this process. */
export function createMemoryQuotas(): MemoryQuotas {
  const totals = new Map<string, QuotaKey & QuotaTotal>()
  const total = (key: QuotaKey): QuotaTotal => {
    const { runs, tokens, cost } = totals.get(idOf(key)) ?? NOTHING
    return { runs, tokens, cost }
  }
  return {
    total,
    totals: async (keys, { signal } = {}) => {
      signal?.throwIfAborted()
      return keys.map(total)
    },
    add(counts) {
      for (const count of counts) checkRuns(count, total(count).runs + count.runs)
      for (const count of counts) {
        const { scope, owner, since, until } = count
        const { runs, tokens, cost } = total(count)
        const sum = { runs: runs + count.runs, tokens: tokens + count.tokens, cost: cost + count.cost }
        totals.set(idOf(count), { scope, owner, since, until, ...sum })
      }
    },
    removeEnded(scope, before) {
      for (const [id, kept] of totals) if (kept.scope === scope && kept.until <= before) totals.delete(id)
    },
  }
}

/**
 * Checks the number of runs in a total after an append. Every store uses this function.
 * @throws ParleyError `quota-exceeded` if it is above `maxRuns`.
 */
export function checkRuns({ owner, maxRuns: max = Infinity, runs: added }: QuotaCount, runs: number): void {
  if (runs <= max) return
  throw new ParleyError({ code: 'quota-exceeded', quota: 'maxRuns', owner, max, value: runs - added })
}

function idOf({ scope, owner, since, until }: QuotaKey): string {
  return JSON.stringify([scope, owner, since, until])
}

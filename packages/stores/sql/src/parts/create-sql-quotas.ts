import type { QuotaKey, QuotaStore, QuotaTotal } from '@parley/core'
import type { StorePart } from './store-part.ts'

/** Keeps the totals of quotas in the table `quota_totals`. */
export function createSqlQuotas({ db, guard }: StorePart): QuotaStore {
  return {
    totals: (keys, options) =>
      guard(async () => {
        if (keys.length === 0) return []
        const rows = await db
          .selectFrom('quota_totals')
          .selectAll()
          .where(({ or, and }) => or(keys.map(({ scope, owner, since, until }) => and({ scope, owner, since, until }))))
          .execute()
        return keys.map(key => toTotal(rows.find(row => isOf(row, key))))
      }, options),
  }
}

function isOf(row: QuotaKey, { scope, owner, since, until }: QuotaKey): boolean {
  return row.scope === scope && row.owner === owner && row.since === since && row.until === until
}

function toTotal(row: QuotaTotal | undefined): QuotaTotal {
  return row === undefined ? { runs: 0, tokens: 0, cost: 0 } : { runs: row.runs, tokens: row.tokens, cost: row.cost }
}

import { orderUsageTotals, ZERO_USAGE, type RunReports, type UsageField, type UsageTotal } from '@parley/core'
import { sql, type RawBuilder } from 'kysely'
import type { StorePart } from './store-part.ts'

const DAY_MS = 86_400_000

/** Makes reports from the table `run_usage`, which has a row for each model of each ended run. */
export function createSqlReports({ db, guard }: StorePart): RunReports {
  const columns: Readonly<Record<UsageField, RawBuilder<string | number>>> = {
    agent: sql`agent`,
    model: sql`model`,
    day: sql`(ended_at / ${sql.lit(DAY_MS)})`,
  }
  return {
    usage: ({ scope, since, until, by = [] }, options) =>
      guard(async () => {
        let rows = db.selectFrom('run_usage').where('scope', '=', scope)
        if (since !== undefined) rows = rows.where('ended_at', '>=', since)
        if (until !== undefined) rows = rows.where('ended_at', '<', until)
        const fields = [...new Set(by)]
        const totals = rows.select(({ fn }) => [
          fn.count<number>('run_id').distinct().as('runs'),
          ...SUMS.map(name => fn.coalesce(fn.sum<number>(name), sql.lit(0)).as(name)),
        ])
        const found = await totals
          .select(fields.map(field => columns[field].as(field)))
          .$if(fields.length > 0, query => query.groupBy(fields.map(field => columns[field])))
          .execute()
        return orderUsageTotals((found as unknown as TotalRow[]).map(row => toTotal(row, fields)))
      }, options),
    workers: ({ scope }, options) =>
      guard(async () => {
        const rows = await db
          .selectFrom('runs')
          .leftJoin('workers', 'workers.worker', 'runs.worker')
          .select(({ fn }) => [
            'runs.worker',
            fn.max('workers.alive_until').as('until'),
            fn.countAll<number>().as('runs'),
          ])
          .where('runs.scope', '=', scope)
          .where('runs.status', '=', 'running')
          .groupBy('runs.worker')
          .orderBy('runs.worker')
          .execute()
        return rows.map(({ worker, until, runs }) => ({ worker, aliveUntil: until ?? 0, runs }))
      }, options),
  }
}

const SUMS = ['calls', 'input', 'output', 'reasoning', 'cache_read', 'cache_write', 'usd'] as const

/** PostgreSQL adds whole numbers to a decimal, which its driver returns as text. */
type TotalRow = Readonly<Record<(typeof SUMS)[number] | 'runs', number | string>> & {
  readonly agent?: string
  readonly model?: string
  readonly day?: number
}

function toTotal(row: TotalRow, fields: readonly UsageField[]): UsageTotal {
  const usage = {
    ...ZERO_USAGE,
    input: Number(row.input),
    output: Number(row.output),
    reasoning: Number(row.reasoning),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
  }
  return {
    ...(fields.includes('agent') ? { agent: row.agent } : {}),
    ...(fields.includes('model') ? { model: row.model } : {}),
    ...(row.day === undefined ? {} : { day: new Date(row.day * DAY_MS).toISOString().slice(0, 10) }),
    runs: Number(row.runs),
    calls: Number(row.calls),
    usage,
    usd: Number(row.usd),
  }
}

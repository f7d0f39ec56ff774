import type { EntryOf, RunRecord } from '@parley/core'
import type { RunUsageRow } from '../tables/store-tables.ts'
import { toColumnText } from './run-rows.ts'

/** Returns the rows of what an ended run used of each model. A run of an earlier version has none. */
export function toUsageRows(
  { runId, scope, agent }: RunRecord,
  { at, models = [] }: EntryOf<'run.ended'>,
): readonly RunUsageRow[] {
  return models.map(({ model, calls, usage, cost }) => ({
    run_id: runId,
    model: toColumnText(model) ?? '',
    scope,
    agent,
    ended_at: at,
    calls,
    input: usage.input,
    output: usage.output,
    reasoning: usage.reasoning,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    usd: cost?.usd ?? 0,
  }))
}

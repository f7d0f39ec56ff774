import { searchWords, type RunRecord } from '@parley/core'
import type { RunWordRow } from '../tables/store-tables.ts'

/** Returns the rows by which a run is found by the words of its preview. */
export function toWordRows({
  runId,
  scope,
  startedAt,
  preview = '',
}: Pick<RunRecord, 'runId' | 'scope' | 'startedAt' | 'preview'>): readonly RunWordRow[] {
  return [...searchWords(preview)].map(word => ({ scope, word, started_at: startedAt, run_id: runId }))
}

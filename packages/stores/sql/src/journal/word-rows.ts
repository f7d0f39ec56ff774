import { searchWords, type RunRecord } from '@parley/core'
import type { RunWordRow } from '../tables/store-tables.ts'
import { markWords } from './word-marks.ts'

/** Returns the rows by which a run is found by the words of its preview. */
export function toWordRows({
  runId,
  scope,
  startedAt,
  preview = '',
}: Pick<RunRecord, 'runId' | 'scope' | 'startedAt' | 'preview'>): readonly RunWordRow[] {
  const words = [...searchWords(preview)]
  const marks = markWords(words)
  return words.map(word => ({ scope, word, started_at: startedAt, run_id: runId, ...marks }))
}

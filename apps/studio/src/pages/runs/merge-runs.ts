import type { RunRecord } from '@parley/core'

/**
 * Puts the newest runs over pages that were read earlier, without a run twice. The order stays: newest first.
 */
export function mergeRuns(newest: readonly RunRecord[], earlier: readonly RunRecord[]): readonly RunRecord[] {
  const fresh = new Map(newest.map(run => [run.runId, run]))
  const known = new Set(earlier.map(run => run.runId))
  const first = newest.filter(run => !known.has(run.runId))
  const merged = [...first, ...earlier.map(run => fresh.get(run.runId) ?? run)]
  return first.length === 0 ? merged : merged.sort((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1))
}

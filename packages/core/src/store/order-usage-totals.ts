import type { UsageTotal } from './run-reports.ts'

/** Returns the rows of a usage report in the order that `RunReports.usage` promises: days newest first, then by agent and model. */
export function orderUsageTotals(totals: readonly UsageTotal[]): readonly UsageTotal[] {
  return totals.toSorted((a, b) => compare(b.day, a.day) || compare(a.agent, b.agent) || compare(a.model, b.model))
}

function compare(a = '', b = ''): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

import { addCost, addUsage, ZERO_USAGE, type Cost, type Usage } from '@parley/core'
import type { BranchResult } from './branch.ts'

/** What runs have used together. */
export function sumOf(results: readonly BranchResult[]): { readonly usage: Usage; readonly cost: Cost | undefined } {
  let usage = ZERO_USAGE
  let cost: Cost | undefined
  for (const result of results) {
    usage = addUsage(usage, result.usage)
    cost = addCost(cost, result.cost)
  }
  return { usage, cost }
}

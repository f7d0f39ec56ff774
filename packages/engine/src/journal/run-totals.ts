import type { Cost, ModelUsage, Usage } from '@parley/core'
import type { RunState } from './run-state.ts'

/** What a run used, for its entry `run.ended`. */
export function runTotals({ usage, cost, models }: RunState): {
  readonly usage: Usage
  readonly cost?: Cost
  readonly models?: ModelUsage[]
} {
  return {
    usage,
    ...(cost === undefined ? {} : { cost }),
    ...(models.length === 0 ? {} : { models: [...models] }),
  }
}

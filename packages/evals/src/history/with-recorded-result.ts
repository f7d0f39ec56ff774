import { toolError, type Tool } from '@parley/core'
import type { RecordedResults, ResultMiss } from './create-recorded-results.ts'

/** Options of `withRecordedResult`. */
export interface RecordedResultOptions {
  /** Called when the recorded run lacks the result. The call then ends in an error. */
  readonly onMiss?: ((miss: ResultMiss) => void) | undefined
  /**
   * Whether a tool does nothing but start child runs, as one of `agentTool`. A call that started child runs is then executed, and the child
   * runs are replayed with it. @default no tool: the recorded result stands for the child runs too
   */
  readonly isDelegation?: ((tool: Tool) => boolean) | undefined
}

/** Wraps a tool so that it answers from a recorded run and is never executed. */
export function withRecordedResult(tool: Tool, results: RecordedResults, options: RecordedResultOptions = {}): Tool {
  const { onMiss, isDelegation = () => false } = options
  const { reconcile: _own, ...rest } = tool
  return {
    ...rest,
    execution: 'server',
    execute(input, context) {
      const lookup = results.take(tool.name, input)
      if (lookup.found) {
        const { childRuns, outcome } = lookup.result
        return childRuns.length > 0 && isDelegation(tool) ? tool.execute(input, context) : outcome
      }
      onMiss?.(lookup.miss)
      return toolError(`The recorded run has no result of this call of '${tool.name}'.`)
    },
  }
}

import { toolError, type Tool } from '@parley/core'
import type { RecordedResults, ResultMiss } from './create-recorded-results.ts'

/** Options of `withRecordedResult`. */
export interface RecordedResultOptions {
  /** Called when the recorded run lacks the result. The call then ends in an error. */
  readonly onMiss?: ((miss: ResultMiss) => void) | undefined
}

/**
 * Wraps a tool so that it answers from a recorded run and is never executed. A call that started child runs is executed: these runs
 * are replayed themselves, and their own tools answer from the record.
 */
export function withRecordedResult(tool: Tool, results: RecordedResults, { onMiss }: RecordedResultOptions = {}): Tool {
  const { reconcile: _own, ...rest } = tool
  return {
    ...rest,
    // A crash of the replay cannot repeat an effect.
    effect: tool.effect,
    execution: 'server',
    execute(input, context) {
      const lookup = results.take(tool.name, input)
      if (lookup.found) {
        const { childRuns, outcome } = lookup.result
        return childRuns.length > 0 ? tool.execute(input, context) : outcome
      }
      onMiss?.(lookup.miss)
      return toolError(`The recorded run has no result of this call of '${tool.name}'.`)
    },
  }
}

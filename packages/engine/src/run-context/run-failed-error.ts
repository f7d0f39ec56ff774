import { describeError, describeIncomplete, ParleyError, type ErrorInfo } from '@parley/core'
import { limitNote } from '../agent/limits.ts'
import { describeWaiting } from './requests/describe-waiting.ts'
import type { CompletedRun, IncompleteRun, RunResult } from './run-result.ts'

type RunFailure = Extract<ErrorInfo, { code: 'run-failed' }>

/**
 * A run did not complete: it failed, was cancelled or rejected, reached a limit, or waits for an answer. The message says what
 * happened and how to continue.
 */
export class RunFailedError extends ParleyError<RunFailure> {
  override readonly name: string = 'RunFailedError'
  /** How the run ended, as data. */
  declare readonly result: IncompleteRun

  constructor(result: IncompleteRun) {
    const { agent, runId, status } = result
    super({ code: 'run-failed', agent, runId, status, detail: detailOf(result) })
    // Node.js prints the enumerable properties of an error that is not caught, and the transcript is long.
    Object.defineProperty(this, 'result', { value: result })
  }
}

/** Returns the result of a completed run. @throws RunFailedError If the run has any other status. */
export function completedOrThrow<TOutput>(result: RunResult<TOutput>): CompletedRun<TOutput> {
  if (result.status === 'completed') return result
  throw new RunFailedError(result)
}

function detailOf(result: IncompleteRun): string {
  switch (result.status) {
    case 'interrupted':
      return `${describeError(result.error)} runtime.resume('${result.runId}') continues it.`
    case 'limit':
      return `${limitNote(result.hit)} Raise the agent's \`limits\`, or give it a smaller task.`
    case 'suspended':
      return describeWaiting(result)
    case 'failed':
    case 'cancelled':
    case 'rejected':
      return describeIncomplete(result)
  }
}

import type { ErrorInfo, RunEvent } from '@parley/core'
import type { RunFailure } from './hook-signatures.ts'

/** Errors of calls that were stopped on purpose. */
const ON_PURPOSE: ReadonlySet<string> = new Set(['cancelled', 'tool-cancelled', 'tool-skipped'])
/**
 * Errors that only the entry `run.ended` contains. All other errors are also in an earlier entry, which another process
 * may have reported.
 */
const TOLD_AT_THE_END: ReadonlySet<string> = new Set(['limit-reached', 'output-invalid'])

/** Remembers which hooks threw, because the entry of a failed call does not tell. */
export interface ThrownHooks {
  /** Whether a hook threw in the current model call. */
  model: boolean
  /** The tool calls in which a hook threw. */
  readonly calls: Set<string>
}

/** Returns a function that reports each failure that the events of a run tell, once. */
export function watchFailures(thrown: ThrownHooks, report: (failure: RunFailure) => void): (event: RunEvent) => void {
  let fatal: ErrorInfo | undefined
  return event => {
    const failure = failureOf(event, thrown)
    if (failure === undefined || ON_PURPOSE.has(failure.error.code)) return
    const { error } = failure
    // The entries that end a run pass on the error object of the failure that caused its end.
    const ends = event.type === 'run.failed' || event.type === 'run.ended'
    if (ends && error === fatal) return
    if (ends || event.type === 'model.failed') fatal = error
    report(error.code.startsWith('store-') ? { ...failure, phase: 'store' } : failure)
  }
}

type ReadFailure<TType extends RunEvent['type']> = (
  event: Extract<RunEvent, { type: TType }>,
  thrown: ThrownHooks,
) => RunFailure | undefined

/** Reads the failure from each type of event that can contain one. */
const FAILURES: { readonly [TType in RunEvent['type']]?: ReadFailure<TType> } = {
  'input.filtered': ({ error }) => (error === undefined ? undefined : { phase: 'input', error }),
  'model.failed': ({ error }, thrown) => ({ phase: thrown.model ? 'hook' : 'model', error }),
  'tool.ended': ({ callId, error }, thrown) => (error === undefined ? undefined : failedCall(callId, error, thrown)),
  'tool.omitted': ({ error }) => ({ phase: 'tool-source', error }),
  'agent.ended': ({ callId, childRunId, outcome }) =>
    outcome.status === 'failed' ? { phase: 'child-run', error: outcome.error, callId, childRunId } : undefined,
  'context.compacted': ({ error }) => (error === undefined ? undefined : { phase: 'context', error }),
  'middleware.failed': ({ detail }) => ({ phase: 'hook', error: { code: 'internal', detail } }),
  'run.failed': ({ phase, error }) => ({ phase: phase ?? 'run', error }),
  'run.interrupted': ({ error }) => ({ phase: 'run', error }),
  'run.ended': ({ outcome }) =>
    outcome.status === 'failed' && TOLD_AT_THE_END.has(outcome.error.code)
      ? { phase: 'run', error: outcome.error }
      : undefined,
}

function failureOf(event: RunEvent, thrown: ThrownHooks): RunFailure | undefined {
  // The compiler cannot follow that the entry of a type reads events of that type.
  const read = FAILURES[event.type] as ReadFailure<RunEvent['type']> | undefined
  return read?.(event, thrown)
}

function failedCall(callId: string, error: ErrorInfo, { calls }: ThrownHooks): RunFailure | undefined {
  if (calls.has(callId)) return { phase: 'hook', error, callId }
  if (error.code !== 'run-failed') return { phase: 'tool', error, callId }
  // The end of the child run has told its failure, but not that it reached a limit or was rejected.
  return error.status === 'failed' ? undefined : { phase: 'child-run', error, callId, childRunId: error.runId }
}

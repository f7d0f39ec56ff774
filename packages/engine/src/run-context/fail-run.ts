import { errorStack, toErrorInfo, type EntryOf, type ErrorInfo } from '@parley/core'
import type { RunState } from '../journal/run-state.ts'
import type { RunJournal } from './run-journal.ts'

/** Records that the run ends as failed. @throws `cause` itself if the store failed or refused an entry: then nothing can be recorded. */
export function failRun(journal: RunJournal, cause: unknown, phase: EntryOf<'run.failed'>['phase']): void {
  const error = toFailure(cause)
  if (journal.isBroken || error.code.startsWith('store-')) throw cause
  journal.record({ type: 'run.failed', error, phase })
}

/** The error that ends a run, with the stack of an exception that Parley does not know. */
export function toFailure(cause: unknown): ErrorInfo {
  const error = toErrorInfo(cause)
  if (error.code !== 'internal') return error
  const stack = errorStack(cause)
  return stack === undefined ? error : { ...error, stack }
}

/** The error of a model call that the run's stop interrupted. */
export function stopError({ cancel, limit }: RunState): ErrorInfo {
  return { code: 'cancelled', kind: cancel?.kind ?? (limit === undefined ? 'shutdown' : 'limit') }
}

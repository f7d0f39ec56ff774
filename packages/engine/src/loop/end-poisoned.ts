import type { ErrorCode, Outcome } from '@parley/core'
import { toFailure } from '../run-context/fail-run.ts'
import { keepDeadLetter } from '../run-context/keep-dead-letter.ts'
import type { RunContext } from '../run-context/run-context.ts'

/** Failures of this process or of the store that a later attempt may not meet. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'cancelled',
  'inbox-unread',
  'run-busy',
  'run-suspended',
  'runtime-closed',
  'session-busy',
  'store-conflict',
  'store-fenced',
  'store-newer',
  'store-unavailable',
])

/**
 * Ends a run as failed if every further attempt would fail in the same way: a hook throws, or the store cannot write or read an
 * entry. @returns `undefined` if the run is left to be resumed.
 */
export async function endPoisoned(run: RunContext, cause: unknown): Promise<Outcome | undefined> {
  const { facts, journal, runtime, state } = run
  const error = toFailure(cause)
  if (journal.stored !== 'yes' || PASSING.has(error.code)) return undefined
  const attempts = state.resumes.length + 1
  try {
    await endChildren(run)
    const unread = await runtime.store?.inbox?.read(facts.runId).catch(() => [])
    const event = await journal.fail(error, unread?.at(-1)?.position)
    await keepDeadLetter(runtime.store, { facts, event, error, attempts })
    return { status: 'failed', error }
  } catch {
    return undefined
  }
}

/** Ends the child runs that this process does not drive. The run's stop has cancelled the others. */
async function endChildren({ state, delegations }: RunContext): Promise<void> {
  for (const { call, children = [] } of state.calls ?? []) {
    if (children.some(({ runId }) => delegations.running?.has(runId) === true)) continue
    await delegations.end(call.callId).catch(() => {})
  }
}

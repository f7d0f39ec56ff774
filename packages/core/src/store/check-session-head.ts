import { ParleyError } from '../errors/parley-error.ts'
import type { JournalAppend } from './store.ts'

/**
 * Judges the first append of a run that goes on from a session. Every store keeps one writer per session with this.
 * @param newest Id of the session's newest run as the same transaction sees it; undefined when it has none.
 * @throws ParleyError `session-busy`.
 */
export function checkSessionHead({ sessionHead, entries }: JournalAppend, newest: string | undefined): void {
  const [first] = entries
  if (sessionHead === undefined || first?.type !== 'run.started' || sessionHead === (newest ?? null)) return
  throw new ParleyError({ code: 'session-busy', sessionId: first.sessionId, runId: newest ?? sessionHead ?? '' })
}

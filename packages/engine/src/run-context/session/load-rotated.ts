import type { Store } from '@parley/core'
import type { RunBase } from '../stored/load-run.ts'
import { loadSession, sessionHead } from './load-session.ts'

export interface RotationQuery {
  readonly sessionId: string
  readonly scope: string
  /** Milliseconds that a session may be idle. */
  readonly rotateAfterMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * Returns where the next run of a session begins, if an idle session is replaced by a new one. The id of the new
 * session contains the last run of the old one. So a client that knows only the first session finds the later ones, and
 * processes that replace a session at the same time choose the same id.
 * @throws ParleyError `session-busy` if the last run is unfinished, however long it has been idle.
 */
export async function loadRotated(
  store: Store,
  { sessionId: first, scope, rotateAfterMs, now }: RotationQuery,
): Promise<RunBase> {
  let sessionId = first
  let previous: { readonly sessionId: string; readonly runId: string } | undefined
  for (;;) {
    const last = await sessionHead(store, { sessionId, scope })
    if (last === undefined || now - last.updatedAt <= rotateAfterMs) {
      const base = await loadSession(store, { sessionId, scope })
      return { ...base, session: { id: sessionId, previous: last === undefined ? previous : undefined } }
    }
    previous = { sessionId, runId: last.runId }
    sessionId = `after-${last.runId}`
  }
}

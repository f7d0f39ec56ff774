import type { Store } from '@parley/core'
import { loadSession, sessionHead, type RunBase } from './load-run.ts'

export interface RotationQuery {
  readonly sessionId: string
  readonly scope: string
  /** How long a session may lie idle. */
  readonly rotateAfterMs: number
  /** Milliseconds since the epoch. */
  readonly now: number
}

/**
 * What the session left, or the one that followed it since it lay idle. That one's id is made of the last run before, so that it is
 * found again by whoever knows the first, and of several processes that rotate at once one wins.
 * @throws ParleyError `session-busy` when the last run is unfinished, however long nothing was heard of it.
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

import { ParleyError, waitsFor, type RunRecord, type Store } from '@parley/core'
import { loadRun, type RunBase } from '../stored/load-run.ts'
import { pendingRequests } from '../requests/pending-requests.ts'

interface SessionQuery {
  readonly sessionId: string
  readonly scope: string
}

/**
 * Returns where the next run of a session begins.
 * @throws ParleyError `session-busy` if the session's last run is unfinished.
 */
export async function loadSession(store: Store, query: SessionQuery): Promise<RunBase> {
  const last = await sessionHead(store, query)
  if (last === undefined) return { relation: 'initial', messages: [], sessionHead: null }
  const { runId, seq } = last
  const { transcript, context } = await loadRun(store, runId)
  const messages = transcript.toArray()
  return { relation: 'continue', messages, context, at: { runId, seq }, sessionHead: runId }
}

/**
 * The newest run of a session, if it has one.
 * @throws ParleyError `session-busy` if that run is unfinished.
 */
export async function sessionHead(store: Store, { sessionId, scope }: SessionQuery): Promise<RunRecord | undefined> {
  const [last] = await store.runs({ scope, sessionId, limit: 1 })
  if (last?.status === 'running' || last?.status === 'suspended') throw await busy(store, last)
  return last
}

/** Says what a suspended run waits for. A run that was released waits for nothing. */
async function busy(store: Store, { sessionId, runId, status }: RunRecord): Promise<ParleyError> {
  const waits = status === 'suspended' ? waitsFor(await pendingRequests(store, runId)) : []
  return new ParleyError({ code: 'session-busy', sessionId, runId, ...(waits.length === 0 ? {} : { waitsFor: waits }) })
}

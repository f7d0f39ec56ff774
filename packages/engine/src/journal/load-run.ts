import { ParleyError, type Message, type Store } from '@parley/core'
import { evolve } from './evolve.ts'
import { initialState, type ContextState, type RunState } from './run-state.ts'

/** Where one run's transcript goes on from another's. */
export interface SessionBase {
  readonly messages: readonly Message[]
  readonly context: ContextState
  readonly at: { readonly runId: string; readonly seq: number }
}

/**
 * The fold of a run's journal, up to `untilSeq` if that is given.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadRun(store: Store, runId: string, untilSeq = Infinity): Promise<RunState> {
  const entries = await store.read(runId)
  const [first] = entries
  if (first?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  const { base } = first
  const before = base === undefined ? undefined : await loadRun(store, base.runId, base.seq)
  let state = initialState(before?.transcript.toArray(), before?.context)
  for (const entry of entries) if (entry.seq <= untilSeq) state = evolve(state, entry)
  return state
}

/**
 * What the session's last run left; undefined for a session without one.
 * @throws ParleyError `session-busy` when that run is unfinished.
 */
export async function loadSession(
  store: Store,
  { sessionId, scope }: { readonly sessionId: string; readonly scope: string },
): Promise<SessionBase | undefined> {
  const [last] = await store.runs({ scope, sessionId, limit: 1 })
  if (last === undefined) return undefined
  const { runId, seq, status } = last
  if (status === 'running' || status === 'suspended') throw new ParleyError({ code: 'session-busy', sessionId, runId })
  const state = await loadRun(store, runId)
  return { messages: state.transcript.toArray(), context: state.context, at: { runId, seq } }
}

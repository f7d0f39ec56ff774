import { ParleyError, type EntryOf, type Message, type Relation, type RunRecord, type Store } from '@parley/core'
import { evolve } from '../journal/evolve.ts'
import { initialState, type ContextState, type RunState } from '../journal/run-state.ts'
import { settleTranscript } from '../journal/settle-transcript.ts'

/** Where a new run begins. */
export interface RunBase {
  readonly relation: Relation
  readonly messages: readonly Message[]
  /** What of them a model was sent last. @default all */
  readonly context?: ContextState | undefined
  /** The run, and how much of its journal, `messages` are the transcript of. */
  readonly at?: { readonly runId: string; readonly seq: number } | undefined
  /** The run that is repeated. */
  readonly origin?: string | undefined
  /** The session it begins in, when that is not the one it was asked for, and the one whose place that took. */
  readonly session?: RotatedSession | undefined
  /** What its session must still end with when its first entry is written. */
  readonly sessionHead?: string | null | undefined
}

export interface RotatedSession {
  readonly id: string
  /** For its first run. */
  readonly previous: { readonly sessionId: string; readonly runId: string } | undefined
}

/**
 * The fold of a run's journal, up to `untilSeq` if that is given.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadRun(store: Store, runId: string, untilSeq = Infinity): Promise<RunState> {
  const entries = await store.read(runId)
  const [first] = entries
  if (first?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  const { messages, context } = await loadBase(store, first)
  let state = initialState(messages, context)
  for (const entry of entries) if (entry.seq <= untilSeq) state = evolve(state, entry)
  return state
}

/**
 * The transcript a run goes on from, valid also where its base was cut in the middle of a turn.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadBase(
  store: Store,
  { base }: EntryOf<'run.started'>,
): Promise<Pick<RunBase, 'messages' | 'context'>> {
  if (base === undefined) return { messages: [] }
  const state = await loadRun(store, base.runId, base.seq)
  return { messages: settleTranscript(state), context: state.context }
}

interface SessionQuery {
  readonly sessionId: string
  readonly scope: string
}

/**
 * What the session's last run left.
 * @throws ParleyError `session-busy` when that run is unfinished.
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
 * The session's newest run; undefined for a session without one.
 * @throws ParleyError `session-busy` when that run is unfinished.
 */
export async function sessionHead(store: Store, { sessionId, scope }: SessionQuery): Promise<RunRecord | undefined> {
  const [last] = await store.runs({ scope, sessionId, limit: 1 })
  if (last?.status === 'running' || last?.status === 'suspended') {
    throw new ParleyError({ code: 'session-busy', sessionId, runId: last.runId })
  }
  return last
}

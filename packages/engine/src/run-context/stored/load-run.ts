import { ParleyError, type Entry, type EntryOf, type Message, type Relation, type Store } from '@parley/core'
import { evolveAll } from '../../journal/evolve.ts'
import { initialState, type ContextState, type RunState } from '../../journal/run-state.ts'
import { replaceResults } from '../../journal/replace-results.ts'
import { readPages } from './read-journal.ts'

/** Where a new run begins. */
export interface RunBase {
  readonly relation: Relation
  readonly messages: readonly Message[]
  /** Which part of the messages was sent to the model last. @default all */
  readonly context?: ContextState | undefined
  /** The run whose transcript `messages` are, and the number of the last entry that belongs to it. */
  readonly at?: EntryOf<'run.started'>['base']
  /** The run that a rerun repeats. */
  readonly origin?: string | undefined
  /** The session that the run begins in, if it replaces the session that was asked for. */
  readonly session?: RotatedSession | undefined
  /**
   * The run that must still be the newest of the session when the first entry is written. `null`: the session must be
   * empty.
   */
  readonly sessionHead?: string | null | undefined
}

export interface RotatedSession {
  readonly id: string
  /** The session that this one replaces. Set only for the first run of this session. */
  readonly previous: { readonly sessionId: string; readonly runId: string } | undefined
}

/**
 * Returns the state of a run after all entries of its journal, or after those up to `untilSeq`.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadRun(store: Pick<Store, 'read'>, runId: string, untilSeq = Infinity): Promise<RunState> {
  let state: RunState | undefined
  for await (const entries of readPages(store, runId, { untilSeq })) {
    state ??= await initialStateOf(store, entries[0])
    if (state === undefined) break
    state = evolveAll(state, entries)
  }
  if (state === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  return state
}

/** Returns the state before the first entry of a journal. `undefined` if no run begins with this entry. */
async function initialStateOf(store: Pick<Store, 'read'>, first: Entry | undefined): Promise<RunState | undefined> {
  if (first?.type !== 'run.started') return undefined
  const { messages, context } = await loadBase(store, first)
  return initialState(messages, context)
}

/**
 * Returns the transcript that a run continues. It is valid even if its base ends in the middle of a turn.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadBase(
  store: Pick<Store, 'read'>,
  { base }: EntryOf<'run.started'>,
): Promise<Pick<RunBase, 'messages' | 'context'>> {
  if (base === undefined) return { messages: [] }
  return replaceResults(await loadRun(store, base.runId, base.seq), base.replaced)
}

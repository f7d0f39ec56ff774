import type { Entry, EntryOf, Message, Store } from '@parley/core'
import { evolve } from '../../journal/evolve.ts'
import { initialState, type RunState } from '../../journal/run-state.ts'
import { replaceResults } from '../../journal/replace-results.ts'
import { readFirst, readPages } from '../../run-context/stored/read-journal.ts'

/** A message of a transcript, and the entry that holds it. */
export interface LocatedMessage {
  readonly message: Message
  /** The run whose journal holds the message. Absent, as `seq` and `at`, for a message that no entry holds. */
  readonly runId?: string | undefined
  readonly seq?: number | undefined
  readonly at?: number | undefined
}

/**
 * Returns the transcript of a run with the entry of each message: the messages of the runs that it continues, then its own. The
 * result of a tool call is held by the entry that ended the call.
 * @throws ParleyError `run-unknown`, `store-…`.
 */
export async function loadRunMessages(store: Store, runId: string): Promise<readonly LocatedMessage[]> {
  const { messages, state } = await locate(store, runId, Infinity)
  // An answer with open calls is not part of a valid transcript yet.
  return state.calls === undefined ? messages : messages.slice(0, -1)
}

interface Located {
  readonly messages: readonly LocatedMessage[]
  readonly state: RunState
}

async function locate(store: Store, runId: string, untilSeq: number): Promise<Located> {
  const first = await readFirst(store, runId)
  const base = await baseOf(store, runId, first)
  const known = new Map(base.map(located => [located.message, located]))
  const results = new Map<string, Entry>()
  let state = evolve(initialState(base.map(({ message }) => message)), first)
  // The first entry may hold a history, which is repaired together with the base.
  const messages = state.transcript.toArray().map(message => known.get(message) ?? { message })
  for await (const entries of readPages(store, runId, { afterSeq: first.seq, untilSeq })) {
    for (const entry of entries) {
      if (entry.type === 'tool.ended') results.set(entry.callId, entry)
      state = evolve(state, entry)
      for (const message of state.transcript.slice(messages.length)) {
        const { seq, at } = (message.role === 'tool' ? results.get(message.callId) : undefined) ?? entry
        messages.push({ message, runId, seq, at })
      }
    }
  }
  return { messages, state }
}

/** The transcript that a run continues, with results for the calls that were open there. */
async function baseOf(
  store: Store,
  runId: string,
  { base, seq, at }: EntryOf<'run.started'>,
): Promise<readonly LocatedMessage[]> {
  if (base === undefined) return []
  const { messages, state } = await locate(store, base.runId, base.seq)
  const known = new Map(messages.map(located => [located.message, located]))
  const replaced = new Set<Message>(base.replaced)
  return replaceResults(state, base.replaced).messages.map(
    message => known.get(message) ?? (replaced.has(message) ? { message, runId, seq, at } : { message }),
  )
}

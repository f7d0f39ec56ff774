import { toRunEvents } from '@parley/agent-api'
import { isEntryEvent, type Entry, type RunEvent, type Store } from '@parley/core'
import type { Run } from '@parley/engine'
import type { FoundRun } from './find-run.ts'
import type { ServerContext } from '../state/server-context.ts'

/**
 * What the journal has of a response that began before its reader came, then what is to come, whichever process drives the
 * run. Deltas come only of a run this server drives.
 */
export function watchRun(server: ServerContext, { record, fromSeq }: FoundRun): AsyncIterable<RunEvent> {
  const { store, live, runtime } = server
  const { runId, scope, status } = record
  const run = live.find(scope, runId)
  if (run !== undefined) return journalThenLive(store, run, fromSeq)
  if (status !== 'running') return ofJournal(store, runId, fromSeq)
  const leave = new AbortController()
  const events = runtime.replay(runId, { scope, afterSeq: fromSeq - 1, follow: true, signal: leave.signal })
  return leavable(events[Symbol.asyncIterator](), () => leave.abort())
}

/** The events of a run from entry `fromSeq` on: those of its journal, then those that happen. Watching begins with the call. */
export function journalThenLive(store: Store, run: Run, fromSeq: number): AsyncIterable<RunEvent> {
  // Watched before the journal is read: what happens meanwhile comes twice rather than not at all.
  const live = run[Symbol.asyncIterator]()
  let lastSeq = 0
  const isNew = (event: RunEvent): boolean => (isEntryEvent(event) ? event.seq > lastSeq : event.seq >= lastSeq)
  const events = (async function* (): AsyncGenerator<RunEvent, undefined> {
    const { runId } = run
    for (const event of responseEvents(await store.read(runId), { runId, fromSeq, goesOn: true })) {
      lastSeq = event.seq
      yield event
    }
    for (let next = await live.next(); next.done !== true; next = await live.next())
      if (isNew(next.value)) yield next.value
    return undefined
  })()
  return leavable(events, () => void live.return?.())
}

export interface ResponsePart {
  readonly runId: string
  /** Number of the entry the response begins with. */
  readonly fromSeq: number
  /** Whether the run is driven on from these entries. @default false */
  readonly goesOn?: boolean | undefined
}

/**
 * The entries of one response as events. A process that let the run go ended the response there; where another has taken
 * the run up, it goes on.
 */
export function responseEvents(
  entries: readonly Entry[],
  { runId, fromSeq, goesOn = false }: ResponsePart,
): readonly RunEvent[] {
  const isEnd = (event: RunEvent): boolean => event.seq === entries.length && !goesOn
  const letGo = (event: RunEvent): boolean => event.type === 'run.suspended' && event.reason === 'shutdown'
  return toRunEvents(runId, entries).filter(event => event.seq >= fromSeq && (!letGo(event) || isEnd(event)))
}

async function* ofJournal(store: Store, runId: string, fromSeq: number): AsyncGenerator<RunEvent, undefined> {
  yield* responseEvents(await store.read(runId), { runId, fromSeq })
  return undefined
}

/** Leaving takes effect at once, also while an event is awaited: the `return` of a generator would queue behind that. */
function leavable<TEvent>(events: AsyncIterator<TEvent>, leave: () => void): AsyncIterable<TEvent> {
  const reader: AsyncIterator<TEvent> = {
    next: () => events.next(),
    return: async () => {
      leave()
      await events.return?.()
      return { value: undefined, done: true }
    },
  }
  return { [Symbol.asyncIterator]: () => reader }
}

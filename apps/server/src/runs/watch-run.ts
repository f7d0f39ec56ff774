import { toRunEvents } from '@parley/agent-api'
import { isEntryEvent, type Entry, type RunEvent, type Store } from '@parley/core'
import type { Run } from '@parley/engine'
import type { ServerContext } from '../state/server-context.ts'
import { iterableOf, stoppable } from '../streams/stoppable.ts'
import type { FoundRun } from './find-run.ts'

/**
 * Returns the events of a response: first those in the journal, then those to come, whichever process drives the run.
 * Deltas arrive only if this server drives the run.
 */
export function watchRun(server: ServerContext, { record, fromSeq }: FoundRun): AsyncIterable<RunEvent> {
  const { store, live, runtime } = server
  const { runId, scope, status } = record
  const run = live.find(scope, runId)
  if (run !== undefined) return journalThenLive(store, run, fromSeq)
  if (status !== 'running') return journaled(store, runId, fromSeq)
  const leave = new AbortController()
  const events = runtime.replay(runId, { scope, afterSeq: fromSeq - 1, follow: true, signal: leave.signal })
  return stoppable(events[Symbol.asyncIterator](), () => leave.abort())
}

/**
 * Returns the events of a live run from entry `fromSeq`: first from its journal, then live. Watching starts with the
 * call.
 */
export function journalThenLive(store: Store, run: Run, fromSeq: number): AsyncIterable<RunEvent> {
  // Watch before reading the journal: an event in between then arrives twice, and `isNew` drops the second one.
  const live = run[Symbol.asyncIterator]()
  let lastSeq = 0
  const isNew = (event: RunEvent): boolean => (isEntryEvent(event) ? event.seq > lastSeq : event.seq >= lastSeq)
  const events = (async function* (): AsyncGenerator<RunEvent, undefined> {
    const { runId } = run
    const entries = await store.read(runId, { afterSeq: fromSeq - 1 })
    for (const event of responseEvents(entries, { runId, fromSeq, continues: true })) {
      lastSeq = event.seq
      yield event
    }
    for await (const event of iterableOf(live)) if (isNew(event)) yield event
    return undefined
  })()
  return stoppable(events, () => void live.return?.())
}

export interface ResponsePart {
  readonly runId: string
  /** Number of the entry that starts the response. */
  readonly fromSeq: number
  /** Whether a driver continues the run after these entries. @default false */
  readonly continues?: boolean | undefined
}

/**
 * Converts the entries of one response to events. A process that shuts down releases its runs, which ends their streams
 * there. If a process has resumed the run since, the release is skipped.
 */
export function responseEvents(
  entries: readonly Entry[],
  { runId, fromSeq, continues = false }: ResponsePart,
): readonly RunEvent[] {
  const last = entries.at(-1)?.seq
  const isEnd = (event: RunEvent): boolean => event.seq === last && !continues
  const isRelease = (event: RunEvent): boolean => event.type === 'run.suspended' && event.reason === 'shutdown'
  return toRunEvents(runId, entries).filter(event => event.seq >= fromSeq && (!isRelease(event) || isEnd(event)))
}

async function* journaled(store: Store, runId: string, fromSeq: number): AsyncGenerator<RunEvent, undefined> {
  yield* responseEvents(await store.read(runId, { afterSeq: fromSeq - 1 }), { runId, fromSeq })
  return undefined
}

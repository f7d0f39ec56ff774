import { isEntryEvent, type Entry, type RunEvent } from '@parley/core'
import { onAbort } from '../../run-context/on-abort.ts'

/** A run that this process drives: its events from now on. */
type LiveRun = AsyncIterable<RunEvent>

export interface LiveOptions {
  readonly runId: string
  readonly afterSeq: number
  readonly signal: AbortSignal | undefined
  /** Finds the run, if this process drives it now. */
  readonly find: () => LiveRun | undefined
  /** Reads the entries that the journal has after a number. */
  readonly read: (afterSeq: number) => AsyncIterable<readonly Entry[]>
  /** Follows the journal from an entry to the end of the run, whichever process writes it. */
  readonly follow: (afterSeq: number) => AsyncIterable<readonly Entry[]>
}

/**
 * Yields the entries of a run until it has ended, and its ephemeral events while this process drives it. Each entry comes once,
 * also if the run moves between processes.
 */
export async function* followLive(options: LiveOptions): AsyncGenerator<Entry | RunEvent, undefined> {
  let seen = options.afterSeq
  let driven: LiveRun | undefined
  for (;;) {
    const run = options.find()
    // A run that has stopped is found for another moment.
    if (run !== undefined && run !== driven) {
      driven = run
      for await (const event of liveEvents(run, seen, options)) {
        if (isEntry(event)) seen = event.seq
        yield event
        if (event.type === 'run.ended') return undefined
      }
    }
    if (options.signal?.aborted === true) return undefined
    let isResumed = false
    for await (const entries of options.follow(seen)) {
      for (const entry of entries) {
        seen = entry.seq
        yield entry
      }
      const found = options.find()
      isResumed = found !== undefined && found !== driven
      if (isResumed) break
    }
    if (!isResumed) return undefined
  }
}

/** The journal so far, and then the events of the run as they happen. */
async function* liveEvents(
  run: LiveRun,
  afterSeq: number,
  { runId, read, signal }: LiveOptions,
): AsyncGenerator<Entry | RunEvent, undefined> {
  // Watching begins before the journal is read, so that no event is missed in between.
  const live = run[Symbol.asyncIterator]()
  const forget = onAbort(signal, () => void live.return?.())
  let seen = afterSeq
  try {
    for await (const entries of read(afterSeq)) {
      for (const entry of entries) {
        seen = entry.seq
        yield entry
      }
    }
    for (let next = await live.next(); next.done !== true; next = await live.next()) {
      const event = next.value
      // A run also shows the events of its child runs, which have numbers of their own.
      if (event.runId !== runId) continue
      const isNew = isEntryEvent(event) ? event.seq > seen : event.seq >= seen
      if (isNew) yield event
    }
  } finally {
    forget()
    await live.return?.()
  }
  return undefined
}

function isEntry(event: Entry | RunEvent): event is Entry {
  return 'v' in event
}

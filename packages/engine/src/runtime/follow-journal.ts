import type { Clock, Entry, Store } from '@parley/core'
import { onAbort } from '../run-context/on-abort.ts'
import { PAGE_ENTRIES } from '../run-context/stored/read-journal.ts'

/** Milliseconds between two reads if the store announces new entries, and if it does not. */
const TOLD_MS = 2_000
const UNTOLD_MS = 250

export interface FollowOptions {
  readonly runId: string
  readonly afterSeq: number
  readonly clock: Clock
  readonly signal: AbortSignal | undefined
}

/** Yields a run's entries as any process appends them, until the run has ended or `signal` is aborted. */
export async function* followJournal(
  store: Store,
  options: FollowOptions,
): AsyncGenerator<readonly Entry[], undefined> {
  const { runId, afterSeq, clock, signal } = options
  let wake = Promise.withResolvers<void>()
  let watch: AsyncDisposable | undefined
  const listener = (grown: string): void => (grown === runId ? wake.resolve() : undefined)
  const forget = onAbort(signal, () => wake.resolve())
  try {
    watch = await store.watch?.(listener, { signal })
    for (let seen = afterSeq; !isAborted(signal);) {
      wake = Promise.withResolvers()
      const entries = await store.read(runId, { afterSeq: seen, limit: PAGE_ENTRIES, signal })
      yield entries
      seen += entries.length
      const last = entries.at(-1)
      if (last?.type === 'run.ended') return undefined
      if (entries.length === PAGE_ENTRIES) continue
      // Without a new entry, the run may have ended at `seen`. Then no more entries follow.
      const next = last === undefined ? await statusAt(store, options, seen) : 'wait'
      if (next === 'ended') return undefined
      if (next === 'grown') continue
      const callOff = clock.after(watch === undefined ? UNTOLD_MS : TOLD_MS, wake.resolve)
      if (!isAborted(signal)) await wake.promise
      callOff()
    }
  } catch (error) {
    // A store call rejects if it is aborted. Then the iteration just ends.
    if (!isAborted(signal)) throw error
  } finally {
    forget()
    await watch?.[Symbol.asyncDispose]()
  }
  return undefined
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

/** Whether the run has ended at entry `seen`, or has grown since it was read. */
async function statusAt(
  store: Store,
  { runId, signal }: FollowOptions,
  seen: number,
): Promise<'ended' | 'grown' | 'wait'> {
  const record = await store.run(runId, { signal })
  // The run may append its last entries between the two reads.
  if (record !== undefined && record.seq > seen) return 'grown'
  return record?.status === 'running' || record?.status === 'suspended' ? 'wait' : 'ended'
}

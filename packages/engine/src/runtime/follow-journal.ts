import type { Clock, Entry, Store } from '@parley/core'
import { onAbort } from '../run-context/on-abort.ts'

/** Time between two reads: with a store that announces new entries, and without. */
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
  { runId, afterSeq, clock, signal }: FollowOptions,
): AsyncGenerator<readonly Entry[], undefined> {
  let wake = Promise.withResolvers<void>()
  const watch = await store.watch?.(grown => {
    if (grown === runId) wake.resolve()
  })
  const forget = onAbort(signal, () => wake.resolve())
  try {
    for (let seen = afterSeq; !isAborted(signal);) {
      wake = Promise.withResolvers()
      const entries = await store.read(runId, { afterSeq: seen })
      yield entries
      seen += entries.length
      // The run has ended before `afterSeq`: no more entries follow.
      if (await isOver(store, runId, entries.at(-1))) return undefined
      const callOff = clock.after(watch === undefined ? UNTOLD_MS : TOLD_MS, wake.resolve)
      if (!isAborted(signal)) await wake.promise
      callOff()
    }
  } finally {
    forget()
    await watch?.[Symbol.asyncDispose]()
  }
  return undefined
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

async function isOver(store: Store, runId: string, last: Entry | undefined): Promise<boolean> {
  if (last !== undefined) return last.type === 'run.ended'
  const status = (await store.run(runId))?.status
  return status !== 'running' && status !== 'suspended'
}

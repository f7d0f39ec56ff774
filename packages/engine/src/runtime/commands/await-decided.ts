import { ParleyError, type Clock, type EntryOf, type Store } from '@parley/core'
import { followJournal } from '../follow-journal.ts'

export interface AwaitedDecision {
  readonly runId: string
  readonly approvalId: string
  /** Number of an entry after which the request was undecided. */
  readonly afterSeq: number
  readonly clock: Clock
}

/**
 * Waits until the driver of a run records the answer to a request. Resolves to `undefined` if the run has no driver any
 * more: it was suspended, or its journal did not grow for a while.
 * @throws ParleyError `run-ended` if the run ended without a decision; `store-…`.
 */
export async function awaitDecided(
  store: Store,
  { approvalId, ...journal }: AwaitedDecision,
): Promise<EntryOf<'approval.decided' | 'tool.submitted'> | undefined> {
  let reads = 0
  for await (const entries of followJournal(store, { ...journal, signal: undefined })) {
    for (const entry of entries) {
      if (entry.type === 'approval.decided' && entry.approvalId === approvalId) return entry
      if (entry.type === 'tool.submitted' && entry.requestId === approvalId) return entry
    }
    // The first read does not wait.
    const isQuiet = entries.length === 0 && reads > 0
    if (isQuiet || entries.at(-1)?.type === 'run.suspended') return undefined
    reads++
  }
  throw new ParleyError({ code: 'run-ended', runId: journal.runId })
}

/** Waits until the journal of a run grows, or for the time between two reads of it. */
export async function awaitGrowth(store: Store, { runId, afterSeq, clock }: AwaitedDecision): Promise<void> {
  let reads = 0
  for await (const { length } of followJournal(store, { runId, afterSeq, clock, signal: undefined })) {
    if (length > 0 || reads++ > 0) return
  }
}

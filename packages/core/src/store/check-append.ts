import { ParleyError } from '../errors/parley-error.ts'
import type { Entry } from '../schema/entry.ts'
import type { JournalAppend } from './journal-append.ts'

/** The facts that a store knows about a run before an append. */
export interface JournalHead {
  /** Number of the last entry. */
  readonly seq: number
  readonly worker: string
  readonly fence: number
  /** Number of commands that the run's inbox has received. @default 0 */
  readonly received?: number | undefined
  /** Number of received commands that the run has taken. @default 0 */
  readonly taken?: number | undefined
}

/**
 * Checks an append before anything is written. Every store uses this function, so all stores make the checks of the
 * contract in the same order.
 * @param head `undefined` for an unknown run.
 * @throws ParleyError `store-fenced`, `store-conflict`, `internal` or `inbox-unread`, as listed at `JournalAppend`.
 */
export function checkAppend(head: JournalHead | undefined, append: JournalAppend): void {
  const { runId, worker, fence, expectedSeq, entries } = append
  const actual = head?.seq ?? 0
  const held = head === undefined || (head.worker === worker && head.fence === fence)
  // A worker that starts an existing run has lost a race for the run id, not a claim: that is a conflict.
  if (!held && expectedSeq > 0) throw new ParleyError({ code: 'store-fenced', runId })
  if (actual !== expectedSeq) throw new ParleyError({ code: 'store-conflict', runId, expected: expectedSeq, actual })
  for (const [index, entry] of entries.entries()) {
    const seq = expectedSeq + index + 1
    if (entry.seq !== seq) fault(`Entry ${seq} of run '${runId}' has the number ${entry.seq}.`)
    if ((entry.type === 'run.started') !== (seq === 1))
      fault(`Entry ${seq} of run '${runId}' is of type '${entry.type}'.`)
  }
  checkTaken(head, append)
}

/**
 * Checks that the first append of a run starts from the newest run of its session. Every store ensures one writer per
 * session with this function.
 * @param newest Id of the session's newest run, read in the transaction of the append; `undefined` for an empty session.
 * @throws ParleyError `session-busy`.
 */
export function checkSessionHead({ sessionHead, entries }: JournalAppend, newest: string | undefined): void {
  const [first] = entries
  if (sessionHead === undefined || first?.type !== 'run.started' || sessionHead === (newest ?? null)) return
  throw new ParleyError({ code: 'session-busy', sessionId: first.sessionId, runId: newest ?? sessionHead ?? '' })
}

/**
 * Whether the run has ended or is suspended for approval after this entry. It then has no driver, so its inbox must be
 * empty. A run that is released to be resumed later has a `reason`. The next driver reads its inbox.
 */
export function isTerminalEntry(entry: Entry): boolean {
  return entry.type === 'run.ended' || (entry.type === 'run.suspended' && entry.reason === undefined)
}

function checkTaken({ received = 0, taken: before = 0 }: Partial<JournalHead> = {}, append: JournalAppend): void {
  const { runId, entries, taken = before } = append
  if (taken < before || taken > received) {
    fault(`Run '${runId}' has taken ${before} of ${received} inbox items, so it cannot have taken ${taken}.`)
  }
  if (taken < received && entries.some(isTerminalEntry)) throw new ParleyError({ code: 'inbox-unread', runId })
}

function fault(detail: string): never {
  throw new ParleyError({ code: 'internal', detail })
}

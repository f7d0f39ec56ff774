import { isTerminalEntry } from './is-terminal-entry.ts'
import { ParleyError } from '../errors/parley-error.ts'
import type { JournalAppend } from './store.ts'

/** What a store knows of a run before an append. */
export interface JournalHead {
  /** Number of its last entry. */
  readonly seq: number
  readonly worker: string
  readonly fence: number
  /** Items its inbox was ever sent. @default 0 */
  readonly received?: number | undefined
  /** Those of them it has taken. @default 0 */
  readonly taken?: number | undefined
}

/**
 * Judges an append before anything changes. Every store keeps the contract's order of refusals with this.
 * @param head Undefined for a run that does not exist.
 * @throws ParleyError `store-fenced`, `store-conflict`, `internal`, `inbox-unread`, as `Store.append` promises.
 */
export function checkAppend(head: JournalHead | undefined, append: JournalAppend): void {
  const { runId, worker, fence, expectedSeq, entries } = append
  const actual = head?.seq ?? 0
  const held = head === undefined || (head.worker === worker && head.fence === fence)
  // Whoever starts a run that exists has lost a race for its id, not a claim.
  if (!held && expectedSeq > 0) throw new ParleyError({ code: 'store-fenced', runId })
  if (actual !== expectedSeq) throw new ParleyError({ code: 'store-conflict', runId, expected: expectedSeq, actual })
  for (const [index, entry] of entries.entries()) {
    const seq = expectedSeq + index + 1
    if (entry.seq !== seq) refuse(`entry ${seq} of run '${runId}' carries the number ${entry.seq}`)
    if ((entry.type === 'run.started') !== (seq === 1)) refuse(`entry ${seq} of run '${runId}' is a '${entry.type}'`)
  }
  checkTaken(head, append)
}

function checkTaken({ received = 0, taken: before = 0 }: Partial<JournalHead> = {}, append: JournalAppend): void {
  const { runId, entries, taken = before } = append
  if (taken < before || taken > received) {
    refuse(`run '${runId}' has taken ${before} of ${received} inbox items, so that ${taken} cannot be taken now`)
  }
  if (taken < received && entries.some(isTerminalEntry)) throw new ParleyError({ code: 'inbox-unread', runId })
}

function refuse(detail: string): never {
  throw new ParleyError({ code: 'internal', detail })
}

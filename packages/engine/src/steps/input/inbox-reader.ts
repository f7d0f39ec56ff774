import { ParleyError, type InboxItem, type RunCommand, type RunInbox } from '@parley/core'
import { checkDecision, roomIn } from '../../run-context/approval/check-decision.ts'
import { recordDecision } from '../../run-context/approval/record-decision.ts'
import { filterInput, type Filtered } from './filter-input.ts'
import type { RunScope } from '../../run-context/run-scope.ts'
import { recordCancel } from '../../run-context/record-cancel.ts'

/**
 * Takes what others have left for a run that is driven here, one item after another. What comes of an item becomes
 * durable together with its being taken.
 */
export class InboxReader {
  readonly #run: RunScope
  readonly #inbox: RunInbox
  #taken = 0
  #taking: Promise<void> | undefined
  #again = false

  constructor(run: RunScope, inbox: RunInbox) {
    this.#run = run
    this.#inbox = inbox
  }

  /** Resolves when everything that was there is recorded. Calls that overlap share the work. */
  take(): Promise<void> {
    this.#again = true
    this.#taking ??= this.#work()
    return this.#taking
  }

  async #work(): Promise<void> {
    const { facts, journal } = this.#run
    try {
      while (this.#again) {
        this.#again = false
        const items = await this.#inbox.read(facts.runId)
        const fresh = items.filter(({ position }) => position > this.#taken)
        for (const item of fresh) await this.#accept(item)
        if (fresh.length > 0) await journal.commit()
      }
    } finally {
      this.#taking = undefined
    }
  }

  async #accept({ id, position, command }: InboxItem): Promise<void> {
    const run = this.#run
    const filtered = command.type === 'message' ? await filterInput(run, command.kind, command.message) : undefined
    // From here on at once: what is recorded goes into one append, with these items taken.
    this.#taken = position
    run.journal.take(position)
    if (command.type === 'cancel') recordCancel(run, command.reason)
    else if (command.type === 'decide') {
      if (isDue(run, command)) recordDecision(run, command)
    } else if (filtered !== undefined) this.#queue(id, command.kind, filtered)
  }

  #queue(queueId: string, kind: 'steering' | 'follow-up', { entries, message }: Filtered): void {
    const { journal, policy, state } = this.#run
    for (const entry of entries) journal.record(entry)
    if (message === undefined) return
    const { capacity, onFull } = policy.queue
    const [oldest] = state.queue
    const isFull = state.queue.length >= capacity
    if (isFull && onFull === 'drop-oldest' && oldest !== undefined) {
      journal.record({ type: 'input.dropped', queueId: oldest.queueId })
    }
    journal.record({ type: 'input.queued', queueId, kind, message })
    // Nobody is there to be refused: the journal tells of it.
    if (isFull && onFull === 'refuse') journal.record({ type: 'input.dropped', queueId })
  }
}

/** Whether the run waits for this decision, by this person, and can follow it. Another may have been faster. */
function isDue(run: RunScope, decided: RunCommand & { type: 'decide' }): boolean {
  const { facts, state } = run
  const { approvalId, decision, by } = decided
  try {
    checkDecision(state, { runId: facts.runId, approvalId, decision, by }, roomIn(run))
    return true
  } catch (error) {
    if (ParleyError.is(error)) return false
    throw error
  }
}

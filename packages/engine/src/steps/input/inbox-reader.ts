import { ParleyError, type InboxItem, type RunCommand, type RunInbox } from '@parley/core'
import { checkDecision, roomIn, recordDecision } from '../../run-context/check-decision.ts'
import { filterInput, type Filtered } from './filter-input.ts'
import { queueInput } from './queue-input.ts'
import type { InboxPort, RunContext } from '../../run-context/run-context.ts'
import { recordCancel } from '../../run-context/record-cancel.ts'

/**
 * Takes the commands that other processes sent to a run, one after another. The entries of a command become durable in the
 * same append that marks it as taken.
 */
export class InboxReader implements InboxPort {
  readonly #run: RunContext
  readonly #inbox: RunInbox
  #taken = 0
  #taking: Promise<void> | undefined
  #again = false

  constructor(run: RunContext, inbox: RunInbox) {
    this.#run = run
    this.#inbox = inbox
  }

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
    // No await from here on: all entries and the taken position go into one append.
    this.#taken = position
    run.journal.take(position)
    if (command.type === 'cancel') recordCancel(run, command.reason)
    else if (command.type === 'decide') {
      if (isDue(run, command)) recordDecision(run, command)
    } else if (filtered !== undefined) this.#queue(id, command.kind, filtered)
  }

  #queue(queueId: string, kind: 'steering' | 'follow-up', { entries, message }: Filtered): void {
    const { journal } = this.#run
    for (const entry of entries) journal.record(entry)
    if (message === undefined) return
    const input = { queueId, kind, message }
    if (queueInput(this.#run, input)) return
    // The sender has gone and cannot be refused: the journal tells that the message was dropped.
    journal.record({ type: 'input.queued', ...input })
    journal.record({ type: 'input.dropped', queueId })
  }
}

/** Whether the run waits for this decision by this approver, and can follow it. An earlier decision may have settled it. */
function isDue(run: RunContext, decided: RunCommand & { type: 'decide' }): boolean {
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

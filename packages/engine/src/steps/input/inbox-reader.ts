import { ParleyError, type InboxItem, type RunCommand, type RunInbox } from '@parley/core'
import { checkDecision, roomIn, recordDecision } from '../../run-context/requests/check-decision.ts'
import { filterInput, type Filtered } from './filter-input.ts'
import { queueOrDrop } from './queue-input.ts'
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
        for (const item of fresh) {
          // If the run was suspended since the read, the commands belong to its next driver.
          if (!(await this.#accept(item))) return
        }
        if (fresh.length > 0) await journal.commit()
      }
    } finally {
      this.#taking = undefined
    }
  }

  /** Records a command. Resolves to false if the run no longer accepts commands. */
  async #accept({ id, position, command }: InboxItem): Promise<boolean> {
    const run = this.#run
    const filtered = command.type === 'message' ? await filterInput(run, command.kind, command.message) : undefined
    // Synchronous: all entries and the taken position go into one append.
    return run.journal.whileOpen(() => {
      this.#taken = position
      if (command.type === 'cancel') recordCancel(run, command.reason)
      else if (command.type === 'decide') {
        if (isDue(run, command)) recordDecision(run, command, id)
      } else if (filtered !== undefined) this.#queue(id, command.kind, filtered)
    }, position)
  }

  #queue(queueId: string, kind: 'steering' | 'follow-up', { entries, message }: Filtered): void {
    for (const entry of entries) this.#run.journal.record(entry)
    if (message !== undefined) queueOrDrop(this.#run, { queueId, kind, message })
  }
}

/**
 * Whether the run waits for this decision by this approver, and can apply it. False if an earlier decision has settled
 * the request.
 */
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

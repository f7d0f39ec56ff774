import { createId, ParleyError, userMessage, type CancelReason, type UserMessage } from '@parley/core'
import type { DecidedRequest } from '../journal/decided-request.ts'
import { checkDecision, roomIn, recordDecision } from '../run-context/requests/check-decision.ts'
import type { ChildRun } from '../run-context/children/child-runs.ts'
import { recordCancel } from '../run-context/record-cancel.ts'
import type { RunContext } from '../run-context/run-context.ts'
import { RunReading } from '../run-context/run-reading.ts'
import type { InputOptions, Run } from '../run-context/run-result.ts'
import { checkMessage } from '../steps/input/check-message.ts'
import { filterInput } from '../steps/input/filter-input.ts'
import { queueInput } from '../steps/input/queue-input.ts'
import type { DurableHost } from './durable-host.ts'
import { RunDriver } from './run-driver.ts'

/** Characters of a short transcript. */
const SHORT = 20_000

/** A run that this process drives, for its user and for the runtime. */
export class RunHandle extends RunReading implements Run, ChildRun {
  readonly #run: RunContext
  readonly #driver: RunDriver

  /** Starts to drive the run at once. The parameters are those of `RunDriver`. */
  constructor(run: RunContext, open: () => Promise<void> | void, host?: DurableHost) {
    const driver = new RunDriver(run, open, host)
    super(run, driver.result)
    this.#run = run
    this.#driver = driver
  }

  /** Whether this process is done with the run: it has ended, or it can be resumed. */
  get over(): boolean {
    return this.#driver.over
  }

  /** Whether keeping the run in memory costs little. */
  get isShort(): boolean {
    return this.#run.state.transcript.size < SHORT
  }

  steer(message: string | UserMessage, options?: InputOptions): Promise<void> {
    return queueWhileDriven(this.#run, this.#driver, { kind: 'steering', message, options })
  }

  followUp(message: string | UserMessage, options?: InputOptions): Promise<void> {
    return queueWhileDriven(this.#run, this.#driver, { kind: 'follow-up', message, options })
  }

  async cancel(reason: CancelReason = { kind: 'user' }): Promise<void> {
    // The result tells if the store failed.
    await this.requestCancel(reason).catch(() => {})
    await this.settled
  }

  /**
   * Cancels the run. Resolves when that is durable, to false if the run was ended or suspended first.
   * @throws ParleyError `store-…`.
   */
  async requestCancel(reason: CancelReason): Promise<boolean> {
    const run = this.#run
    if (!this.#driver.isOpen) {
      this.#driver.cancelEarly(reason)
      await this.#driver.opened()
    }
    if (this.over || !(await run.journal.whileOpen(() => recordCancel(run, reason)))) return false
    await run.journal.commit()
    return true
  }

  /**
   * Decides about a call of the run while this process drives it.
   * @throws ParleyError `run-ended`, `approval-…`; `agent-unknown`, `request-invalid` for a decision that names an agent.
   */
  async decide(decided: DecidedRequest): Promise<void> {
    const run = this.#run
    await this.#driver.command(() => {
      checkDecision(run.state, { runId: this.runId, ...decided }, roomIn(run))
      recordDecision(run, decided)
    })
  }

  /** Takes the commands of the run's inbox soon. If the store fails, the next append reports it. */
  readInbox(): void {
    if (this.#run.state.seq > 0 && !this.over) this.#run.inbox?.take().catch(() => {})
  }

  abandon(cause: unknown): void {
    this.#run.journal.abandon(cause)
    this.#run.stopper.stop(cause)
  }

  async release(): Promise<void> {
    const { due, state, stopper } = this.#run
    if (!this.over && state.outcome === undefined && !stopper.stopped) {
      due.released = true
      stopper.stop(new ParleyError({ code: 'cancelled', kind: 'shutdown' }))
    }
    await this.settled
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel()
  }
}

interface QueuedInput {
  readonly kind: 'steering' | 'follow-up'
  readonly message: string | UserMessage
  readonly options: InputOptions | undefined
}

/** Filters an input and queues it durably. @throws ParleyError `run-ended`, `input-rejected`, `queue-full`. */
async function queueWhileDriven(run: RunContext, driver: RunDriver, input: QueuedInput): Promise<void> {
  const { kind, message, options } = input
  checkMessage('message', message)
  const opening = driver.opened()
  if (opening !== undefined) await opening
  driver.checkRunning()
  const filtering = filterInput(run, kind, typeof message === 'string' ? userMessage(message) : message)
  const filtered = filtering instanceof Promise ? await filtering : filtering
  await driver.command(() => {
    for (const entry of filtered.entries) run.journal.record(entry)
    if (filtered.message === undefined) throw new ParleyError({ code: 'input-rejected', ...filtered.rejection })
    const queueId = options?.id ?? createId(run.clock.now())
    if (queueInput(run, { queueId, kind, message: filtered.message })) return
    const { capacity } = run.policy.queue
    throw new ParleyError({ code: 'queue-full', runId: run.facts.runId, capacity })
  })
}

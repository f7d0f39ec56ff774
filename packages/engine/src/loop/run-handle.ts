import {
  createId,
  ParleyError,
  userMessage,
  type CancelReason,
  type Json,
  type RunEvent,
  type UserMessage,
} from '@parley/core'
import type { DecidedApproval } from '../journal/decided-approval.ts'
import { checkDecision, findRequest, roomIn, recordDecision } from '../run-context/check-decision.ts'
import type { ChildRun } from '../run-context/children/child-runs.ts'
import { recordCancel } from '../run-context/record-cancel.ts'
import type { RunContext } from '../run-context/run-context.ts'
import type { InputOptions, Run, RunResult } from '../run-context/run-result.ts'
import { filterInput } from '../steps/input/filter-input.ts'
import { queueInput } from '../steps/input/queue-input.ts'
import type { DurableHost } from './durable-host.ts'
import { RunDriver } from './run-driver.ts'

/** A run that this process drives, for its user and for the runtime. */
export class RunHandle implements Run, ChildRun {
  readonly runId: string
  readonly result: Promise<RunResult>
  readonly #run: RunContext
  readonly #driver: RunDriver

  /** Starts to drive the run at once. The parameters are those of `RunDriver`. */
  constructor(run: RunContext, open: () => Promise<void> | void, host?: DurableHost) {
    this.#run = run
    this.runId = run.facts.runId
    this.#driver = new RunDriver(run, open, host)
    this.result = this.#driver.result
  }

  get sessionId(): string {
    return this.#run.facts.sessionId
  }

  get scope(): string {
    return this.#run.facts.scope
  }

  /** Whether this process is done with the run: it has ended, or it can be resumed. */
  get over(): boolean {
    return this.#driver.over
  }

  get accepted(): Json | undefined {
    return this.#run.state.output?.value
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    return this.#run.feed.read()
  }

  steer(message: string | UserMessage, options?: InputOptions): Promise<void> {
    return this.#queue('steering', message, options)
  }

  followUp(message: string | UserMessage, options?: InputOptions): Promise<void> {
    return this.#queue('follow-up', message, options)
  }

  async cancel(reason: CancelReason = { kind: 'user' }): Promise<void> {
    if (this.#driver.isOpen) recordCancel(this.#run, reason)
    else this.#driver.cancelEarly(reason)
    await this.result
  }

  /**
   * Decides about a call of the run while this process drives it.
   * @throws ParleyError `run-ended`, `approval-…`; `agent-unknown`, `request-invalid` for a decision that names an agent.
   */
  async decide(decided: DecidedApproval): Promise<void> {
    const run = this.#run
    await this.#driver.opened()
    checkDecision(run.state, { runId: this.runId, ...decided }, roomIn(run))
    recordDecision(run, decided)
    await run.journal.commit()
  }

  /** Whether a call of the run is suspended for this approval. */
  isWaitingFor(approvalId: string): boolean {
    return findRequest(this.#run.state, approvalId) !== undefined
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
    await this.result
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cancel()
  }

  async #queue(
    kind: 'steering' | 'follow-up',
    message: string | UserMessage,
    { id }: InputOptions = {},
  ): Promise<void> {
    const run = this.#run
    await this.#driver.opened()
    const filtering = filterInput(run, kind, typeof message === 'string' ? userMessage(message) : message)
    const filtered = filtering instanceof Promise ? await filtering : filtering
    // The run may have ended while the filters worked.
    this.#driver.checkRunning()
    for (const entry of filtered.entries) run.journal.record(entry)
    if (filtered.message === undefined) throw new ParleyError({ code: 'input-rejected', ...filtered.rejection })
    const queueId = id ?? createId(run.clock.now())
    if (!queueInput(run, { queueId, kind, message: filtered.message })) {
      const { capacity } = run.policy.queue
      throw new ParleyError({ code: 'queue-full', runId: this.runId, capacity })
    }
    await run.journal.commit()
  }
}

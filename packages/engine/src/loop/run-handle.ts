import {
  createId,
  ParleyError,
  toErrorInfo,
  userMessage,
  type CancelReason,
  type Json,
  type Outcome,
  type RunEvent,
  type UserMessage,
} from '@parley/core'
import { checkDecision, findRequest, roomIn } from '../run-context/approval/check-decision.ts'
import type { DecidedApproval } from '../journal/decided-approval.ts'
import { recordDecision } from '../run-context/approval/record-decision.ts'
import { recordCancel } from '../run-context/record-cancel.ts'
import { drive } from './drive.ts'
import type { DurableHost } from './durable-host.ts'
import { filterInput } from '../steps/input/filter-input.ts'
import type { InputOptions, Interrupted, Run, RunResult, Suspended } from '../run-context/run.ts'
import type { RunScope } from '../run-context/run-scope.ts'
import { toRunResult } from '../run-context/to-run-result.ts'

/** Gives the caller a hold on a run and drives it. */
export class RunHandle implements Run {
  readonly runId: string
  readonly result: Promise<RunResult>
  readonly #run: RunScope
  /** Whether this process is done with the run, be it ended, suspended or let go. */
  #over = false
  /** Whether the journal has its first entries. */
  #opened = false
  /** Why the run is to be cancelled, when that was said before. */
  #early: CancelReason | undefined
  /** Waited for by those who have spoken before that. */
  #opening: PromiseWithResolvers<void> | undefined

  /**
   * `open` records how the run begins; it may wait, and what it throws interrupts the run. `host` takes its steps.
   * @default in this process, at once
   */
  constructor(run: RunScope, open: (run: RunScope) => Promise<void> | void, host?: DurableHost) {
    this.#run = run
    this.runId = run.facts.runId
    this.result = this.#drive(this.#open(open), host)
  }

  get sessionId(): string {
    return this.#run.facts.sessionId
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
    const { stopper } = this.#run
    if (!this.#over && this.#opened) recordCancel(this.#run, reason)
    else if (!this.#over && !stopper.stopped) {
      this.#early = reason
      stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
    }
    await this.result
  }

  /**
   * Decides about a call of the run while it goes.
   * @throws ParleyError `run-ended`, `approval-…`; `agent-unknown`, `request-invalid` for a decision that names an agent.
   */
  async decide(decided: DecidedApproval): Promise<void> {
    const run = this.#run
    await this.#begun()
    checkDecision(run.state, { runId: this.runId, ...decided }, roomIn(run))
    recordDecision(run, decided)
    await run.journal.commit()
  }

  /** Whether a call of the run waits for this decision. */
  waitsFor(approvalId: string): boolean {
    return findRequest(this.#run.state, approvalId) !== undefined
  }

  /** Takes what others have left for the run, as soon as it can. A store that fails shows at the next append. */
  readInbox(): void {
    if (this.#run.state.seq > 0 && !this.#over) this.#run.inbox?.take().catch(() => {})
  }

  get scope(): string {
    return this.#run.facts.scope
  }

  /** Lets the run go at once, as if the store had failed it: nothing more is written, and it may be resumed. */
  abandon(cause: unknown): void {
    this.#run.journal.abandon(cause)
    this.#run.stopper.stop(cause)
  }

  get over(): boolean {
    return this.#over
  }

  /** Stops driving the run and leaves it to be resumed. Resolves when it is let go, or has ended after all. */
  async letGo(): Promise<void> {
    const run = this.#run
    if (!this.#over && run.state.outcome === undefined && !run.stopper.stopped) {
      run.released = true
      run.stopper.stop(new ParleyError({ code: 'cancelled', kind: 'shutdown' }))
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
    await this.#begun()
    const filtering = filterInput(run, kind, typeof message === 'string' ? userMessage(message) : message)
    const filtered = filtering instanceof Promise ? await filtering : filtering
    // Meanwhile the run may have ended.
    this.#checkGoing()
    for (const entry of filtered.entries) run.journal.record(entry)
    if (filtered.message === undefined) throw new ParleyError({ code: 'input-rejected', ...filtered.rejection })
    this.#makeRoom()
    run.journal.record({
      type: 'input.queued',
      queueId: id ?? createId(run.clock.now()),
      kind,
      message: filtered.message,
    })
    await run.journal.commit()
  }

  /** What is said before the run has begun waits for that. */
  async #begun(): Promise<void> {
    this.#checkGoing()
    if (this.#opened) return
    this.#opening ??= Promise.withResolvers()
    await this.#opening.promise
    this.#checkGoing()
  }

  #makeRoom(): void {
    const { journal, policy, state } = this.#run
    const { capacity, onFull } = policy.queue
    const [oldest] = state.queue
    if (state.queue.length < capacity || oldest === undefined) return
    if (onFull === 'refuse') throw new ParleyError({ code: 'queue-full', runId: this.runId, capacity })
    journal.record({ type: 'input.dropped', queueId: oldest.queueId })
  }

  #checkGoing(): void {
    const { state, stopper } = this.#run
    if (this.#over || state.outcome !== undefined || stopper.stopped)
      throw new ParleyError({ code: 'run-ended', runId: this.runId })
  }

  /** Apart from the rest, so that what begins a run does not live as long as the run. */
  async #open(open: (run: RunScope) => Promise<void> | void): Promise<void> {
    // A reader that starts in the same tick misses nothing.
    await Promise.resolve()
    const opening = open(this.#run)
    if (opening !== undefined) await opening
    this.#opened = true
    if (this.#early !== undefined) this.#run.journal.record({ type: 'cancel.requested', reason: this.#early })
    if (this.#opening === undefined) return
    this.#opening.resolve()
    // What was said meanwhile joins before anything is decided.
    await Promise.resolve()
  }

  async #drive(opening: Promise<void>, host: DurableHost | undefined): Promise<RunResult> {
    const run = this.#run
    try {
      await opening
      const outcome = await drive(run, host)
      return this.#resultOf(outcome, run.state.output === undefined ? undefined : await this.#output())
    } catch (cause) {
      // The store failed, someone else owns the run, or its host lets it go: nothing more may be written or go on.
      run.journal.abandon(cause)
      run.stopper.stop(cause)
      const error = toErrorInfo(cause)
      run.emit({ type: 'run.interrupted', error })
      return this.#resultOf({ status: 'interrupted', error })
    } finally {
      this.#over = true
      run.context.newest.run = this
      this.#opening?.resolve()
      run.feed.end()
    }
  }

  /** What the run ended with as the model gave it, when that is data. */
  get accepted(): Json | undefined {
    return this.#run.state.output?.value
  }

  /** The accepted value, as the schema gives it back. */
  async #output(): Promise<unknown> {
    const { prepared, state } = this.#run
    if (state.output === undefined) return undefined
    const checked = await prepared.output?.validate(state.output.value)
    return checked?.ok === true ? checked.value : state.output.value
  }

  #resultOf(ending: Outcome | Suspended | Interrupted, output?: unknown): RunResult {
    return toRunResult(this.#run.facts, this.#run.state, { ending, output })
  }
}

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
import { answerText } from './answer-text.ts'
import { drive } from './drive.ts'
import { filterInput } from './filter-input.ts'
import type { Interrupted, Run, RunResult, Suspended } from './run.ts'
import type { RunScope } from './run-scope.ts'

/** Gives the caller a hold on a run and drives it. */
export class RunHandle implements Run {
  readonly runId: string
  readonly sessionId: string
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

  /** `open` records how the run begins; it may wait, and what it throws interrupts the run. */
  constructor(run: RunScope, open: (run: RunScope) => Promise<void> | void) {
    this.#run = run
    this.runId = run.facts.runId
    this.sessionId = run.facts.sessionId
    this.result = this.#drive(this.#open(open))
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    return this.#run.feed.read()
  }

  steer(message: string | UserMessage): Promise<void> {
    return this.#queue('steering', message)
  }

  followUp(message: string | UserMessage): Promise<void> {
    return this.#queue('follow-up', message)
  }

  async cancel(reason: CancelReason = { kind: 'user' }): Promise<void> {
    const { state, journal, stopper } = this.#run
    if (!this.#over && state.outcome === undefined && state.cancel === undefined && !stopper.stopped) {
      if (this.#opened) journal.record({ type: 'cancel.requested', reason })
      else this.#early = reason
      stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
    }
    await this.result
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

  async #queue(kind: 'steering' | 'follow-up', message: string | UserMessage): Promise<void> {
    const run = this.#run
    this.#checkGoing()
    // What is said before the run has begun waits for that.
    if (!this.#opened) {
      this.#opening ??= Promise.withResolvers()
      await this.#opening.promise
    }
    this.#checkGoing()
    const filtering = filterInput(run, kind, typeof message === 'string' ? userMessage(message) : message)
    const filtered = filtering instanceof Promise ? await filtering : filtering
    // Meanwhile the run may have ended.
    this.#checkGoing()
    for (const entry of filtered.entries) run.journal.record(entry)
    if (filtered.message === undefined) throw new ParleyError({ code: 'input-rejected', ...filtered.rejection })
    this.#makeRoom()
    run.journal.record({ type: 'input.queued', queueId: createId(run.clock.now()), kind, message: filtered.message })
    await run.journal.commit()
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

  async #drive(opening: Promise<void>): Promise<RunResult> {
    const run = this.#run
    try {
      await opening
      const outcome = await drive(run)
      return this.#resultOf(outcome, run.state.output === undefined ? undefined : await this.#output())
    } catch (cause) {
      // The store failed, or someone else owns the run: nothing more may be written, and nothing may go on.
      run.stopper.stop(cause)
      const error = toErrorInfo(cause)
      run.emit({ type: 'run.interrupted', error })
      return this.#resultOf({ status: 'interrupted', error })
    } finally {
      this.#over = true
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
    const { state } = this.#run
    const messages = state.transcript.toArray()
    // An answer whose calls are still open belongs to the run that goes on, not to what another could start from.
    if (state.calls !== undefined) messages.pop()
    const { runId, sessionId } = this
    const { agent, usage, cost, turn: turns } = state
    return {
      ...(ending.status === 'completed' ? { ...ending, output } : ending),
      runId,
      sessionId,
      agent,
      messages,
      // What the session said before is no answer of this run.
      text: state.finish === undefined ? '' : answerText(messages, state.continued),
      usage,
      cost,
      turns,
    }
  }
}

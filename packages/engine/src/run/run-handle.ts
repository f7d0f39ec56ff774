import {
  createId,
  messageText,
  ParleyError,
  toErrorInfo,
  userMessage,
  type CancelReason,
  type RunEvent,
  type UserMessage,
} from '@parley/core'
import { drive } from './drive.ts'
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
  /** Why it was cancelled before its first entry, which nothing may precede. */
  #cancelEarly: CancelReason | undefined
  /** What waits for the first entry. */
  #whenOpen: (() => void)[] | undefined

  /** `open` records how the run begins; it may wait, and what it throws interrupts the run. */
  constructor(run: RunScope, open: (run: RunScope) => Promise<void> | void) {
    this.#run = run
    this.runId = run.facts.runId
    this.sessionId = run.facts.sessionId
    this.result = this.#drive(open)
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
      if (state.seq === 0) this.#cancelEarly = reason
      else journal.record({ type: 'cancel.requested', reason })
      stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
    }
    await this.result
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
    if (this.#run.state.seq === 0 && !this.#over) {
      await new Promise<void>(resolve => (this.#whenOpen ??= []).push(resolve))
    }
    const { state, journal, clock, stopper } = this.#run
    if (this.#over || state.outcome !== undefined || stopper.stopped)
      throw new ParleyError({ code: 'run-ended', runId: this.runId })
    const queued = typeof message === 'string' ? userMessage(message) : message
    journal.record({ type: 'input.queued', queueId: createId(clock.now()), kind, message: queued })
    await journal.commit()
  }

  async #drive(open: (run: RunScope) => Promise<void> | void): Promise<RunResult> {
    const run = this.#run
    // A reader that starts in the same tick misses nothing.
    await Promise.resolve()
    try {
      const opening = open(run)
      if (opening !== undefined) await opening
      if (this.#cancelEarly !== undefined) run.journal.record({ type: 'cancel.requested', reason: this.#cancelEarly })
      // What was said meanwhile joins before anything is decided.
      if (this.#tellOpen()) await Promise.resolve()
      const outcome = await drive(run)
      return this.#resultOf(outcome)
    } catch (cause) {
      // The store failed, or someone else owns the run: nothing more may be written, and nothing may go on.
      run.stopper.stop(cause)
      const error = toErrorInfo(cause)
      run.emit({ type: 'run.interrupted', error })
      return this.#resultOf({ status: 'interrupted', error })
    } finally {
      this.#over = true
      this.#tellOpen()
      run.feed.end()
    }
  }

  /** @returns Whether anybody was waiting. */
  #tellOpen(): boolean {
    if (this.#whenOpen === undefined) return false
    for (const tell of this.#whenOpen) tell()
    this.#whenOpen = undefined
    return true
  }

  #resultOf(ending: Interrupted | Suspended | NonNullable<RunScope['state']['outcome']>): RunResult {
    const { state } = this.#run
    const messages = state.transcript.toArray()
    // An answer whose calls are still open belongs to the run that goes on, not to what another could start from.
    if (state.calls !== undefined) messages.pop()
    const last = messages.findLast(message => message.role === 'assistant')
    const { runId, sessionId } = this
    const { usage, cost, turn: turns } = state
    return {
      ...ending,
      runId,
      sessionId,
      messages,
      text: last === undefined ? '' : messageText(last),
      usage,
      cost,
      turns,
    }
  }
}

import { monotonicNow, ParleyError, type CancelReason } from '@parley/core'
import type { Run } from '@parley/engine'
import { openRun } from './open-run.ts'
import { publishLiveEvents } from './publish-live-events.ts'
import type { RunOrder, RunReport, SentDecision } from './run-order.ts'
import { endedReport } from './run-report.ts'
import { StepPacer } from './step-pacer.ts'
import { isTransient } from './terminal-error.ts'
import type { AttemptRun, Worker } from './worker.ts'

/** A run that can take steps. */
interface OpenRun {
  readonly run: Run
  readonly pacer: StepPacer
}

/**
 * A run that this process holds for one attempt at its invocation. `open` starts the run, or resumes it from its
 * journal. The object exists only for this attempt: the journal keeps everything that the next attempt needs.
 */
export class HeldRun implements AttemptRun {
  readonly #worker: Worker
  readonly #order: RunOrder
  #opened: Promise<OpenRun | RunReport> | undefined
  #current: OpenRun | undefined
  /** Running operations, and when each started. */
  readonly #working = new Map<Promise<unknown>, number>()
  /** The earlier attempt, while its operations still run in this process. */
  #former: AttemptRun | undefined
  #cancelled: CancelReason | undefined
  #released = false

  constructor(worker: Worker, order: RunOrder) {
    this.#worker = worker
    this.#order = order
  }

  /** Resolves when no operation is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#working.keys())
  }

  /** Registers an operation that has started. */
  during<TValue>(work: Promise<TValue>): Promise<TValue> {
    const over = work.finally(() => this.#working.delete(over))
    this.#working.set(over, monotonicNow(this.#worker.clock))
    return over
  }

  /** Cancels the run if a cancellation was requested. The run then ends within its next steps. */
  applyCancel({ run }: OpenRun, cancel: CancelReason | undefined): void {
    const reason = cancel ?? this.#cancelled
    if (reason !== undefined) void run.cancel(reason)
  }

  /** Stops the running operations of this process at once. The next step records the cancellation. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason
    this.#former?.cancel(reason)
    void this.#current?.run.cancel(reason)
  }

  /**
   * Ends the attempt. No operation starts after that. Running operations may end and be recorded, because the attempt
   * may have ended only because Restate lost its connection. They stop when another worker claims the run, or after
   * `maxStepMs`. Resolves when this process has released the run.
   */
  async drain(): Promise<void> {
    this.#released = true
    const { clock, maxStepMs } = this.#worker
    const late = Promise.withResolvers<void>()
    const startedAt = Math.min(monotonicNow(clock), ...this.#working.values())
    const callOff = clock.after(Math.max(0, startedAt + maxStepMs - monotonicNow(clock)), late.resolve)
    await Promise.race([this.settled(), late.promise])
    callOff()
    await this.release()
  }

  /** Releases the run at once, as a crash would: its handlers are stopped and nothing more is written. */
  async release(): Promise<void> {
    this.#released = true
    const opened = this.#current
    if (opened === undefined) return this.#leave()
    opened.pacer.release(new ParleyError({ code: 'store-fenced', runId: this.#order.runId }))
    await this.forget(opened)
  }

  /** Waits until the driver has released the run. The next `open` opens it again. */
  async forget(opened: OpenRun): Promise<void> {
    await opened.run.result
    if (this.#current === opened) this.#current = undefined
    this.#opened = undefined
    this.#leave()
  }

  /**
   * Opens the run if it is not open. In that case, also applies the decision. Returns a report if the run has ended or
   * was refused.
   * @throws ParleyError `runtime-closed` after the attempt has ended, and what the runtime throws.
   */
  async open(decided: SentDecision | undefined): Promise<OpenRun | RunReport> {
    if (this.#released || this.#worker.closing) throw new ParleyError({ code: 'runtime-closed' })
    this.#opened ??= this.#openRun(decided)
    try {
      return await this.#opened
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }

  async #openRun(decided: SentDecision | undefined): Promise<OpenRun | RunReport> {
    const { held, store } = this.#worker
    const { runId } = this.#order
    const former = held.get(runId)
    if (former !== undefined && former !== this) {
      this.#former = former
      await former.drain()
      this.#former = undefined
    }
    if (this.#released) throw new ParleyError({ code: 'runtime-closed' })
    held.set(runId, this)
    const record = await store.run(runId)
    if (record !== undefined && record.status !== 'running' && record.status !== 'suspended')
      return endedReport(this.#worker.store, this.#order)
    const pacer = new StepPacer()
    try {
      const run = await openRun(this.#worker.runtime, this.#order, {
        started: record !== undefined,
        host: pacer,
        decided,
      })
      const opened = { run, pacer }
      this.#current = opened
      publishLiveEvents(run, this.#worker.live)
      if (this.#released) await this.release()
      const stopped = await Promise.race([pacer.ready(), run.result])
      if (stopped === undefined) return opened
      await this.forget(opened)
      if (stopped.status === 'interrupted' || stopped.status === 'failed') throw new ParleyError(stopped.error)
      throw new ParleyError({ code: 'internal', detail: `run '${runId}' ended without a step` })
    } catch (error) {
      // A started run is never refused: another worker may be able to resume it.
      const refused = ParleyError.is(error) && !isTransient(error) && (await store.run(runId)) === undefined
      if (refused) return { type: 'refused', error: error.info }
      throw error
    }
  }

  #leave(): void {
    const { held } = this.#worker
    if (held.get(this.#order.runId) === this) held.delete(this.#order.runId)
  }
}

import { ParleyError, type CancelReason, type ErrorInfo, type Store } from '@parley/core'
import { loadRun, type Run } from '@parley/engine'
import { loadRunResult, type CallUpdate, type Ending, type PendingCall } from '@parley/engine/host'
import { decideRun, openRun } from './open-run.ts'
import { NO_PENDING_WORK, pendingWorkOf, type PendingWork } from './pending-work.ts'
import { publishLiveEvents } from './publish-live-events.ts'
import { queueInput } from './queue-input.ts'
import type { MessageInput, RunOrder, RunReport, SentDecision, StepReport } from './run-order.ts'
import { StepPacer } from './step-pacer.ts'
import { isTransient } from './terminal-error.ts'
import type { AttemptRun, Worker } from './worker.ts'

/** What an operation needs besides the journal. */
interface OperationOrder {
  readonly cancel: CancelReason | undefined
}

export interface StepOrder extends OperationOrder {
  readonly decided: SentDecision | undefined
}

export interface CallOrder extends OperationOrder {
  readonly callId: string
  readonly news: CallUpdate
}

interface Opened {
  readonly run: Run
  readonly pacer: StepPacer
}

/**
 * A run that this process holds for one attempt at its invocation. The first operation of the attempt starts the run, or
 * resumes it from its journal. The object ends with the attempt, because the journal has everything that must last.
 */
export class HeldRun implements AttemptRun {
  readonly #worker: Worker
  readonly #order: RunOrder
  #opened: Promise<Opened | RunReport> | undefined
  #current: Opened | undefined
  /** Running operations, and when each started. */
  readonly #working = new Map<Promise<unknown>, number>()
  /** How many tool calls are running. */
  #calls = 0
  /** The last suspension check. */
  #checking: Promise<unknown> | undefined
  /** The earlier attempt, while its operations still run in this process. */
  #former: AttemptRun | undefined
  #cancelled: CancelReason | undefined
  #released = false

  constructor(worker: Worker, order: RunOrder) {
    this.#worker = worker
    this.#order = order
  }

  /**
   * Takes the next step of the run. It returns tool calls without running them; `call` runs them. Throws transient failures,
   * for the next attempt.
   */
  step(order: StepOrder): Promise<StepReport> {
    return this.#work(this.#take(order))
  }

  /** Runs one tool call until it ends, or needs an approval or a child run. Throws what `step` throws. */
  call(order: CallOrder): Promise<PendingCall | undefined> {
    return this.#work(this.#run(order))
  }

  /** Records that a child run is suspended for approval. Throws what `step` throws. */
  noteSuspendedChild(childRunId: string): Promise<void> {
    return this.#work(this.#noteSuspendedChild(childRunId))
  }

  /** Suspends the run if all its calls are suspended for approval. Throws what `step` throws. */
  checkSuspension(order: OperationOrder): Promise<PendingWork> {
    const checking = this.#work(this.#checkSuspension(order))
    this.#checking = checking.catch(() => {})
    return checking
  }

  /** Applies a decision on one call or child run while other calls run. Throws what `step` throws. */
  decide(sent: SentDecision): Promise<PendingWork> {
    return this.#work(this.#decide(sent))
  }

  /** Resolves when no operation is running. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#working.keys())
  }

  #work<TValue>(work: Promise<TValue>): Promise<TValue> {
    const over = work.finally(() => this.#working.delete(over))
    this.#working.set(over, this.#worker.clock.now())
    return over
  }

  async #take({ cancel, decided }: StepOrder): Promise<StepReport> {
    const opened = await this.#open(decided)
    if ('type' in opened) return opened
    const { pacer } = opened
    this.#applyCancel(opened, cancel)
    // An earlier attempt may have taken this step and crashed before Restate recorded it.
    const before = await pacer.openCalls()
    if (before !== undefined) {
      // Restate does not send again what was recorded when the run was opened, such as a decision.
      await pacer.commit()
      return { type: 'calls', batches: before }
    }
    const ending = await pacer.take()
    if (ending !== undefined) {
      await this.#forget(opened)
      return this.#report(ending)
    }
    const batches = await pacer.openCalls()
    return batches === undefined ? { type: 'continue' } : { type: 'calls', batches }
  }

  async #run({ callId, cancel, news }: CallOrder): Promise<PendingCall | undefined> {
    // No call may start in a run that is about to be suspended.
    if (this.#checking !== undefined) await this.#checking
    this.#calls += 1
    try {
      const opened = await this.#open(undefined)
      // Another worker has ended the run.
      if ('type' in opened) return undefined
      this.#applyCancel(opened, cancel)
      return await opened.pacer.call(callId, news)
    } finally {
      this.#calls -= 1
    }
  }

  async #noteSuspendedChild(childRunId: string): Promise<void> {
    const opened = await this.#open(undefined)
    if (!('type' in opened)) await opened.pacer.childSuspended(childRunId)
  }

  async #checkSuspension({ cancel }: OperationOrder): Promise<PendingWork> {
    const opened = await this.#open(undefined)
    if ('type' in opened) return NO_PENDING_WORK
    const { pacer } = opened
    this.#applyCancel(opened, cancel)
    const ending = this.#calls === 0 && (await pacer.waits()) ? await pacer.take() : undefined
    if (ending !== undefined) {
      await this.#forget(opened)
      await this.#report(ending)
    }
    return this.#pendingWork(ending !== undefined)
  }

  async #decide(sent: SentDecision): Promise<PendingWork> {
    const opened = await this.#open(sent)
    if ('type' in opened) return NO_PENDING_WORK
    // A run that was open before this operation has not received the decision.
    await opened.pacer.commit()
    const work = await this.#pendingWork(false)
    if (!work.approvalIds.includes(sent.approvalId)) return work
    await decideRun(this.#worker.runtime, this.#order, { sent, host: opened.pacer })
    return this.#pendingWork(false)
  }

  async #pendingWork(suspended: boolean): Promise<PendingWork> {
    return pendingWorkOf(await loadRun(this.#worker.store, this.#order.runId), suspended)
  }

  /** Cancels the run. The next steps bring it to its end. */
  #applyCancel({ run }: Opened, cancel: CancelReason | undefined): void {
    const reason = cancel ?? this.#cancelled
    if (reason !== undefined) void run.cancel(reason)
  }

  /** Queues an input. Queueing the same id again does nothing. */
  queue(input: MessageInput, id: string): Promise<{ readonly error?: ErrorInfo }> {
    const { runId } = this.#order
    const open = async (): Promise<Run | undefined> => {
      const opened = await this.#open(undefined)
      return 'type' in opened ? undefined : opened.run
    }
    return queueInput({ runId, store: this.#worker.store, open }, input, id)
  }

  /** Stops the running operations of this process at once. The next step records the cancellation. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason
    this.#former?.cancel(reason)
    void this.#current?.run.cancel(reason)
  }

  /**
   * Ends the attempt. No operation starts after that. Running operations may end and be recorded, because Restate may only have
   * lost its connection. They stop when another worker claims the run, or after `maxStepMs`. Resolves when this process has
   * released the run.
   */
  async drain(): Promise<void> {
    this.#released = true
    const { clock, maxStepMs } = this.#worker
    const late = Promise.withResolvers<void>()
    const startedAt = Math.min(clock.now(), ...this.#working.values())
    const callOff = clock.after(Math.max(0, startedAt + maxStepMs - clock.now()), late.resolve)
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
    await this.#forget(opened)
  }

  async #forget(opened: Opened): Promise<void> {
    await opened.run.result
    if (this.#current === opened) this.#current = undefined
    this.#opened = undefined
    this.#leave()
  }

  #leave(): void {
    const { held } = this.#worker
    if (held.get(this.#order.runId) === this) held.delete(this.#order.runId)
  }

  async #open(decided: SentDecision | undefined): Promise<Opened | RunReport> {
    if (this.#released || this.#worker.closing) throw new ParleyError({ code: 'runtime-closed' })
    this.#opened ??= this.#openRun(decided)
    try {
      return await this.#opened
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }

  async #openRun(decided: SentDecision | undefined): Promise<Opened | RunReport> {
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
      const interrupted = await Promise.race([pacer.ready(), run.result])
      if (interrupted === undefined) return opened
      await this.#forget(opened)
      if (interrupted.status === 'interrupted') throw new ParleyError(interrupted.error)
      throw new ParleyError({ code: 'internal', detail: `run '${runId}' ended without a step` })
    } catch (error) {
      // A started run is never refused: another worker may be able to resume it.
      const refused = ParleyError.is(error) && !isTransient(error) && (await store.run(runId)) === undefined
      if (refused) return { type: 'refused', error: error.info }
      throw error
    }
  }

  async #report(ending: Ending): Promise<StepReport> {
    if (ending.status !== 'suspended') return endedReport(this.#worker.store, this.#order)
    // The runtime closes and has released the run: another worker makes the next attempt.
    if (ending.reason !== undefined) throw new ParleyError({ code: 'runtime-closed' })
    const due = Math.min(...ending.approvals.map(({ expiresAt = Infinity }) => expiresAt))
    const approvalIds = ending.approvals.map(({ approvalId }) => approvalId)
    if (due === Infinity) return { type: 'suspended', approvalIds }
    return { type: 'suspended', approvalIds, waitMs: Math.max(0, due - this.#worker.clock.now()) }
  }
}

/** Returns how a run ended, read from its journal. */
async function endedReport(
  store: Store,
  { runId, sessionId }: Pick<RunOrder, 'runId' | 'sessionId'>,
): Promise<RunReport> {
  const result = await loadRunResult(store, runId)
  if (result === undefined) throw new ParleyError({ code: 'internal', detail: `run '${runId}' has no ending` })
  return { type: 'ended', result: { runId, sessionId, ...result } }
}

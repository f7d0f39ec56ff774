import type { CancelReason, ErrorInfo } from '@parley/core'
import type { Run } from '@parley/engine'
import { loadRun } from '@parley/engine/journal'
import type { CallUpdate, PendingCall } from '@parley/engine/host'
import { HeldRun } from './held-run.ts'
import { decideRun } from './open-run.ts'
import { NO_PENDING_WORK, pendingWorkOf, type PendingWork } from './pending-work.ts'
import { queueInput } from './queue-input.ts'
import type { MessageInput, RunOrder, SentDecision, StepReport } from './run-order.ts'
import { endingReport } from './run-report.ts'
import type { Worker } from './worker.ts'

/** The input of an operation, besides the journal. */
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

/**
 * The operations that one attempt at the invocation of a run performs. The first one opens the run. Every operation
 * throws transient failures, so that Restate makes another attempt.
 */
export class RunOperations {
  readonly #worker: Worker
  readonly #order: RunOrder
  readonly #held: HeldRun
  /** How many tool calls are running. */
  #calls = 0
  /** The last suspension check. */
  #checking: Promise<unknown> | undefined

  constructor(worker: Worker, order: RunOrder) {
    this.#worker = worker
    this.#order = order
    this.#held = new HeldRun(worker, order)
  }

  /**
   * Takes the next step of the run. If the next step runs tool calls, only returns their names, and `call` runs them.
   * Throws transient failures, so that Restate makes another attempt.
   */
  step(order: StepOrder): Promise<StepReport> {
    return this.#held.during(this.#take(order))
  }

  /** Runs one tool call until it ends, or needs an approval or a child run. Throws what `step` throws. */
  call(order: CallOrder): Promise<PendingCall | undefined> {
    return this.#held.during(this.#run(order))
  }

  /** Records that a child run is suspended for approval. Throws what `step` throws. */
  noteSuspendedChild(childRunId: string): Promise<void> {
    return this.#held.during(this.#noteSuspendedChild(childRunId))
  }

  /** Suspends the run if all its calls are suspended for approval. Throws what `step` throws. */
  checkSuspension(order: OperationOrder): Promise<PendingWork> {
    const checking = this.#held.during(this.#checkSuspension(order))
    this.#checking = checking.catch(() => {})
    return checking
  }

  /** Applies a decision on one call or child run while other calls run. Throws what `step` throws. */
  decide(sent: SentDecision): Promise<PendingWork> {
    return this.#held.during(this.#decide(sent))
  }

  /** Queues an input. Queueing the same id again does nothing. */
  queue(input: MessageInput, id: string): Promise<{ readonly error?: ErrorInfo }> {
    const { runId } = this.#order
    const open = async (): Promise<Run | undefined> => {
      const opened = await this.#held.open(undefined)
      return 'type' in opened ? undefined : opened.run
    }
    return queueInput({ runId, store: this.#worker.store, open }, input, id)
  }

  /** Stops the running operations of this process at once. The next step records the cancellation. */
  cancel(reason: CancelReason): void {
    this.#held.cancel(reason)
  }

  /** Ends the attempt: see `HeldRun.drain`. */
  drain(): Promise<void> {
    return this.#held.drain()
  }

  async #take({ cancel, decided }: StepOrder): Promise<StepReport> {
    const opened = await this.#held.open(decided)
    if ('type' in opened) return opened
    const { pacer } = opened
    this.#held.applyCancel(opened, cancel)
    // An earlier attempt may have taken this step and crashed before Restate recorded it.
    const before = await pacer.openCalls()
    if (before !== undefined) {
      // Restate does not send again what was recorded when the run was opened, such as a decision.
      await pacer.commit()
      return { type: 'calls', batches: before }
    }
    const ending = await pacer.take()
    if (ending !== undefined) {
      await this.#held.forget(opened)
      return endingReport(this.#worker, this.#order, ending)
    }
    const batches = await pacer.openCalls()
    return batches === undefined ? { type: 'continue' } : { type: 'calls', batches }
  }

  async #run({ callId, cancel, news }: CallOrder): Promise<PendingCall | undefined> {
    // No call may start in a run that is about to be suspended.
    if (this.#checking !== undefined) await this.#checking
    this.#calls += 1
    try {
      const opened = await this.#held.open(undefined)
      // Another worker has ended the run.
      if ('type' in opened) return undefined
      this.#held.applyCancel(opened, cancel)
      return await opened.pacer.call(callId, news)
    } finally {
      this.#calls -= 1
    }
  }

  async #noteSuspendedChild(childRunId: string): Promise<void> {
    const opened = await this.#held.open(undefined)
    if (!('type' in opened)) await opened.pacer.childSuspended(childRunId)
  }

  async #checkSuspension({ cancel }: OperationOrder): Promise<PendingWork> {
    const opened = await this.#held.open(undefined)
    if ('type' in opened) return NO_PENDING_WORK
    const { pacer } = opened
    this.#held.applyCancel(opened, cancel)
    const ending = this.#calls === 0 && (await pacer.waits()) ? await pacer.take() : undefined
    if (ending !== undefined) {
      await this.#held.forget(opened)
      await endingReport(this.#worker, this.#order, ending)
    }
    return this.#pendingWork(ending !== undefined)
  }

  async #decide(sent: SentDecision): Promise<PendingWork> {
    const opened = await this.#held.open(sent)
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
}

import { ParleyError, type CancelReason, type ErrorInfo } from '@parley/core'
import { loadRun, type CallNews, type Ending, type LeftCall, type Run } from '@parley/engine'
import { decideRun } from './decide-run.ts'
import { endedReport } from './ended-report.ts'
import { isPassing } from './is-passing.ts'
import { newsOf, NO_NEWS, type RunNews } from './run-news.ts'
import type { MessageInput, RunOrder, RunReport, SentDecision, StepReport } from './run-order.ts'
import { sayToRun } from './say-to-run.ts'
import { showLive } from './show-live.ts'
import { StepPacer } from './step-pacer.ts'
import { takeUpRun } from './take-up-run.ts'
import type { Worker } from './worker.ts'

/** What an operation has to reckon with besides the journal. */
interface OperationOrder {
  readonly cancel: CancelReason | undefined
}

export interface StepOrder extends OperationOrder {
  readonly decided: SentDecision | undefined
}

export interface CallOrder extends OperationOrder {
  readonly callId: string
  readonly news: CallNews
}

interface Opened {
  readonly run: Run
  readonly pacer: StepPacer
}

/**
 * One run as one attempt at its invocation holds it. It is begun or taken up from its journal when its first step is due
 * here, and forgotten with the attempt: everything that lasts is in the journal.
 */
export class HeldRun {
  readonly #worker: Worker
  readonly #order: RunOrder
  #opened: Promise<Opened | RunReport> | undefined
  #current: Opened | undefined
  /** What is under way, and when it began. */
  readonly #working = new Map<Promise<unknown>, number>()
  /** How many calls are run at this moment. */
  #calls = 0
  /** Resolves when the run has been looked at. */
  #looking: Promise<unknown> | undefined
  /** The attempt before, while what it began goes on in this process. */
  #former: HeldRun | undefined
  #cancelled: CancelReason | undefined
  #gone = false

  constructor(worker: Worker, order: RunOrder) {
    this.#worker = worker
    this.#order = order
  }

  /** Does the next thing the run asks for; calls it only names. Throws what another attempt may get over. */
  step(order: StepOrder): Promise<StepReport> {
    return this.#work(this.#take(order))
  }

  /** Brings one call as far as it goes without a person or a sub-agent's run. Throws as `step`. */
  call(order: CallOrder): Promise<LeftCall | undefined> {
    return this.#work(this.#run(order))
  }

  /** Notes that a sub-agent waits for a person. Throws as `step`. */
  note(childRunId: string): Promise<void> {
    return this.#work(this.#note(childRunId))
  }

  /** Has the run ask and wait when nothing of it goes on but that. Throws as `step`. */
  look(order: OperationOrder): Promise<RunNews> {
    const looking = this.#work(this.#look(order))
    this.#looking = looking.catch(() => {})
    return looking
  }

  /** Notes a decision about one of several calls, or sub-agents, while others go on. Throws as `step`. */
  decide(sent: SentDecision): Promise<RunNews> {
    return this.#work(this.#decide(sent))
  }

  /** Resolves when what is under way is over. */
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
    this.#tell(opened, cancel)
    // A step that broke off before Restate heard of it may have got this far.
    const before = await pacer.openCalls()
    if (before !== undefined) {
      // What was recorded when it was opened, a decision maybe, Restate does not tell again.
      await pacer.commit()
      return { type: 'calls', batches: before }
    }
    const ending = await pacer.take()
    if (ending !== undefined) {
      await this.#forget(opened)
      return this.#report(ending)
    }
    const batches = await pacer.openCalls()
    return batches === undefined ? { type: 'went-on' } : { type: 'calls', batches }
  }

  async #run({ callId, cancel, news }: CallOrder): Promise<LeftCall | undefined> {
    // Nothing begins in a run that is about to wait.
    if (this.#looking !== undefined) await this.#looking
    this.#calls += 1
    try {
      const opened = await this.#open(undefined)
      // Somebody else has brought the run to its end.
      if ('type' in opened) return undefined
      this.#tell(opened, cancel)
      return await opened.pacer.call(callId, news)
    } finally {
      this.#calls -= 1
    }
  }

  async #note(childRunId: string): Promise<void> {
    const opened = await this.#open(undefined)
    if (!('type' in opened)) await opened.pacer.childAsks(childRunId)
  }

  async #look({ cancel }: OperationOrder): Promise<RunNews> {
    const opened = await this.#open(undefined)
    if ('type' in opened) return NO_NEWS
    const { pacer } = opened
    this.#tell(opened, cancel)
    const ending = this.#calls === 0 && (await pacer.waits()) ? await pacer.take() : undefined
    if (ending !== undefined) {
      await this.#forget(opened)
      await this.#report(ending)
    }
    return this.#news(ending !== undefined)
  }

  async #decide(sent: SentDecision): Promise<RunNews> {
    const opened = await this.#open(sent)
    if ('type' in opened) return NO_NEWS
    // One that was held already does not know of it yet.
    await opened.pacer.commit()
    const news = await this.#news(false)
    if (!news.approvalIds.includes(sent.approvalId)) return news
    await decideRun(this.#worker.runtime, this.#order, { sent, host: opened.pacer })
    return this.#news(false)
  }

  async #news(waits: boolean): Promise<RunNews> {
    return newsOf(await loadRun(this.#worker.store, this.#order.runId), waits)
  }

  /** That a run is cancelled. Its end is waited for step by step. */
  #tell({ run }: Opened, cancel: CancelReason | undefined): void {
    const reason = cancel ?? this.#cancelled
    if (reason !== undefined) void run.cancel(reason)
  }

  /** Queues what was said, once, however often it is told. */
  say(input: MessageInput, id: string): Promise<{ readonly error?: ErrorInfo }> {
    const { runId } = this.#order
    const open = async (): Promise<Run | undefined> => {
      const opened = await this.#open(undefined)
      return 'type' in opened ? undefined : opened.run
    }
    return sayToRun({ runId, store: this.#worker.store, open }, input, id)
  }

  /** Stops what is going on in this process at once. That the run is cancelled, the next step notes. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason
    this.#former?.cancel(reason)
    void this.#current?.run.cancel(reason)
  }

  /**
   * Begins nothing more: the attempt is over. What is under way may end and be recorded, unless another worker takes the
   * run up before or it takes too long; Restate may only have lost its connection. Resolves when this process is done with the run.
   */
  async release(): Promise<void> {
    this.#gone = true
    const { clock, maxStepMs } = this.#worker
    const late = Promise.withResolvers<void>()
    const begunAt = Math.min(clock.now(), ...this.#working.values())
    const callOff = clock.after(Math.max(0, begunAt + maxStepMs - clock.now()), late.resolve)
    await Promise.race([this.settled(), late.promise])
    callOff()
    await this.letGo()
  }

  /** Lets the run go, as if the process had died: its handlers are stopped, and nothing more is written. */
  async letGo(): Promise<void> {
    this.#gone = true
    const opened = this.#current
    if (opened === undefined) return this.#leave()
    opened.pacer.letGo(new ParleyError({ code: 'store-fenced', runId: this.#order.runId }))
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
    if (this.#gone || this.#worker.closing) throw new ParleyError({ code: 'runtime-closed' })
    this.#opened ??= this.#takeUp(decided)
    try {
      return await this.#opened
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }

  async #takeUp(decided: SentDecision | undefined): Promise<Opened | RunReport> {
    const { held, store } = this.#worker
    const { runId } = this.#order
    const former = held.get(runId)
    if (former !== undefined && former !== this) {
      this.#former = former
      await former.release()
      this.#former = undefined
    }
    if (this.#gone) throw new ParleyError({ code: 'runtime-closed' })
    held.set(runId, this)
    const record = await store.run(runId)
    if (record !== undefined && record.status !== 'running' && record.status !== 'suspended')
      return endedReport(this.#worker.store, this.#order)
    const pacer = new StepPacer()
    try {
      const run = await takeUpRun(this.#worker.runtime, this.#order, {
        begun: record !== undefined,
        host: pacer,
        decided,
      })
      const opened = { run, pacer }
      this.#current = opened
      showLive(run, this.#worker.live)
      if (this.#gone) await this.letGo()
      const interrupted = await Promise.race([pacer.ready(), run.result])
      if (interrupted === undefined) return opened
      await this.#forget(opened)
      if (interrupted.status === 'interrupted') throw new ParleyError(interrupted.error)
      throw new ParleyError({ code: 'internal', detail: `run '${runId}' ended without a step` })
    } catch (error) {
      // A run that has begun is left to a worker that can go on with it.
      const refused = ParleyError.is(error) && !isPassing(error) && (await store.run(runId)) === undefined
      if (refused) return { type: 'refused', error: error.info }
      throw error
    }
  }

  async #report(ending: Ending): Promise<StepReport> {
    if (ending.status !== 'suspended') return endedReport(this.#worker.store, this.#order)
    // Let go by its runtime, which closes: the next attempt is somebody else's.
    if (ending.reason !== undefined) throw new ParleyError({ code: 'runtime-closed' })
    const due = Math.min(...ending.approvals.map(({ expiresAt = Infinity }) => expiresAt))
    const approvalIds = ending.approvals.map(({ approvalId }) => approvalId)
    if (due === Infinity) return { type: 'waits', approvalIds }
    return { type: 'waits', approvalIds, waitMs: Math.max(0, due - this.#worker.clock.now()) }
  }
}

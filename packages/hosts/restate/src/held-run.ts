import { isEntryEvent, ParleyError, type CancelReason, type ErrorInfo, type RunRecord } from '@parley/core'
import { loadRunResult, type Ending, type Run } from '@parley/engine'
import type { RunOrder, RunReport, SentDecision, SentInput, StepReport } from './run-order.ts'
import { StepPacer } from './step-pacer.ts'
import type { Worker } from './worker.ts'

/** What a step has to reckon with besides the journal. */
export interface StepOrder {
  readonly cancel: CancelReason | undefined
  readonly decided: SentDecision | undefined
}

interface Opened {
  readonly run: Run
  readonly pacer: StepPacer
}

/** Failures that another try, maybe in another process, may not meet. */
const PASSING: ReadonlySet<ErrorInfo['code']> = new Set([
  'internal',
  'run-busy',
  'runtime-closed',
  'store-conflict',
  'store-fenced',
  'store-unavailable',
])

/**
 * One run as one attempt at its invocation holds it. It is begun or taken up from its journal when its first step is due
 * here, and forgotten with the attempt: everything that lasts is in the journal.
 */
export class HeldRun {
  readonly #worker: Worker
  readonly #order: RunOrder
  #opened: Promise<Opened | RunReport> | undefined
  #current: Opened | undefined
  #stepping: Promise<unknown> | undefined
  #begunAt = 0
  /** The attempt before, while its step goes on in this process. */
  #former: HeldRun | undefined
  #cancelled: CancelReason | undefined
  #gone = false

  constructor(worker: Worker, order: RunOrder) {
    this.#worker = worker
    this.#order = order
  }

  /** Does the next thing the run asks for. Throws what another attempt may get over. */
  step(order: StepOrder): Promise<StepReport> {
    this.#begunAt = this.#worker.clock.now()
    const step = this.#take(order)
    this.#stepping = step
    return step
  }

  /** Resolves when the step under way is over. */
  async settled(): Promise<void> {
    await this.#stepping?.catch(() => {})
  }

  async #take({ cancel, decided }: StepOrder): Promise<StepReport> {
    const opened = await this.#open(decided)
    if ('type' in opened) return opened
    const { run, pacer } = opened
    const reason = cancel ?? this.#cancelled
    // Its end is waited for step by step.
    if (reason !== undefined) void run.cancel(reason)
    const ending = await pacer.take()
    if (ending === undefined) return { type: 'went-on' }
    await this.#forget(opened)
    return this.#report(ending)
  }

  /** Queues what was said, once, however often it is told. */
  async say(input: SentInput, id: string): Promise<{ readonly error?: ErrorInfo }> {
    const { runId } = this.#order
    const { store } = this.#worker
    for (;;) {
      const opened = await this.#open(undefined)
      if ('type' in opened) return { error: { code: 'run-ended', runId } }
      const entries = await store.read(runId)
      if (entries.some(entry => entry.type === 'input.queued' && entry.queueId === id)) return {}
      const error = await this.#tell(opened.run, input, id)
      if (error?.code !== 'run-ended') return error === undefined ? {} : { error }
      // It may only have been suspended meanwhile.
      await opened.run.result
      const status = (await store.run(runId))?.status
      if (status !== 'running' && status !== 'suspended') return { error }
    }
  }

  async #tell(run: Run, { kind, message }: SentInput, id: string): Promise<ErrorInfo | undefined> {
    try {
      await (kind === 'steering' ? run.steer(message, { id }) : run.followUp(message, { id }))
      return undefined
    } catch (error) {
      if (!ParleyError.is(error) || PASSING.has(error.code)) throw error
      return error.info
    }
  }

  /** Stops what is going on in this process at once. That the run is cancelled, the next step notes. */
  cancel(reason: CancelReason): void {
    this.#cancelled ??= reason
    this.#former?.cancel(reason)
    void this.#current?.run.cancel(reason)
  }

  /**
   * Begins nothing more: the attempt is over. The step under way may end and be recorded, unless another worker takes the
   * run up before or it takes too long; Restate may only have lost its connection. Resolves when this process is done with the run.
   */
  async release(): Promise<void> {
    this.#gone = true
    const { clock, maxStepMs } = this.#worker
    const late = Promise.withResolvers<void>()
    const callOff = clock.after(Math.max(0, this.#begunAt + maxStepMs - clock.now()), late.resolve)
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
    if (record !== undefined && record.status !== 'running' && record.status !== 'suspended') return this.#ended()
    const pacer = new StepPacer()
    try {
      const run = record === undefined ? this.#begin(pacer) : await this.#resume(record, { pacer, decided })
      const opened = { run, pacer }
      this.#current = opened
      this.#show(run)
      if (this.#gone) await this.letGo()
      const interrupted = await Promise.race([pacer.ready(), run.result])
      if (interrupted === undefined) return opened
      await this.#forget(opened)
      if (interrupted.status === 'interrupted') throw new ParleyError(interrupted.error)
      throw new ParleyError({ code: 'internal', detail: `run '${runId}' ended without a step` })
    } catch (error) {
      // A run that has begun is left to a worker that can go on with it.
      const refused = ParleyError.is(error) && !PASSING.has(error.code) && (await store.run(runId)) === undefined
      if (refused) return { type: 'refused', error: error.info }
      throw error
    }
  }

  #begin(host: StepPacer): Run {
    const { agent, input, ...options } = this.#order
    return this.#worker.runtime.run(agent, input, { ...options, host })
  }

  async #resume(
    { runId, scope }: RunRecord,
    { pacer: host, decided }: { readonly pacer: StepPacer; readonly decided: SentDecision | undefined },
  ): Promise<Run> {
    const { runtime } = this.#worker
    // Restate lets one attempt go on at a time: whoever else seems to hold the run is shut out by the claim.
    const options = { scope, force: true, host }
    if (decided === undefined) return runtime.resume(runId, options)
    const { approvalId, decision, by } = decided
    try {
      return await runtime.decide(runId, approvalId, { ...options, decision, by })
    } catch (error) {
      // It counted in an attempt whose end Restate has not seen.
      if (!ParleyError.is(error, 'approval-decided')) throw error
      return runtime.resume(runId, options)
    }
  }

  /** Shows what only a live watcher sees. */
  #show(run: Run): void {
    const { live } = this.#worker
    if (live === undefined) return
    const show = async (): Promise<void> => {
      for await (const event of run) {
        // A run that is let go here goes on elsewhere.
        if (!isEntryEvent(event) && event.type !== 'run.interrupted' && event.runId === run.runId) live.publish(event)
      }
    }
    void show()
  }

  async #report(ending: Ending): Promise<StepReport> {
    if (ending.status !== 'suspended') return this.#ended()
    // Let go by its runtime, which closes: the next attempt is somebody else's.
    if (ending.reason !== undefined) throw new ParleyError({ code: 'runtime-closed' })
    const due = Math.min(...ending.approvals.map(({ expiresAt = Infinity }) => expiresAt))
    const approvalIds = ending.approvals.map(({ approvalId }) => approvalId)
    if (due === Infinity) return { type: 'waits', approvalIds }
    return { type: 'waits', approvalIds, waitMs: Math.max(0, due - this.#worker.clock.now()) }
  }

  async #ended(): Promise<RunReport> {
    const { runId, sessionId } = this.#order
    const result = await loadRunResult(this.#worker.store, runId)
    if (result === undefined) throw new ParleyError({ code: 'internal', detail: `run '${runId}' has no ending` })
    return { type: 'ended', result: { runId, sessionId, ...result } }
  }
}

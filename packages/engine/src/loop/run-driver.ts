import { ParleyError, toErrorInfo, type CancelReason, type Outcome } from '@parley/core'
import type { RunContext } from '../run-context/run-context.ts'
import { toRunResult, type Interrupted, type RunResult, type Suspended } from '../run-context/run-result.ts'
import type { DurableHost } from './durable-host.ts'
import { endPoisoned } from './end-poisoned.ts'
import { drive } from './run-loop.ts'

/** Opens a run, drives it until it ends or is suspended, and creates its result. */
export class RunDriver {
  readonly result: Promise<RunResult>
  readonly #run: RunContext
  /** Whether this process is done with the run: it has ended, or it can be resumed. */
  #over = false
  /** Whether the journal has its first entries. */
  #opened = false
  /** The reason of a cancel that came before the run was open. */
  #earlyCancel: CancelReason | undefined
  /**
   * Resolves when the run is open. Created only if a caller waits, because it takes 260 bytes (bench: tricks opening).
   */
  #opening: PromiseWithResolvers<void> | undefined

  /**
   * Opens the run and starts to drive it. `open` records how the run begins. It may be asynchronous; an error
   * interrupts the run.
   * @param host Takes the run's steps. @default this process
   */
  constructor(run: RunContext, open: () => Promise<void> | void, host: DurableHost | undefined) {
    this.#run = run
    this.result = this.#drive(this.#open(open), host)
  }

  get over(): boolean {
    return this.#over
  }

  /** Whether commands can be recorded now. */
  get isOpen(): boolean {
    return this.#opened && !this.#over
  }

  /** Cancels a run that is not open yet. The cancellation is recorded when the run opens. */
  cancelEarly(reason: CancelReason): void {
    const { stopper } = this.#run
    if (this.#over || stopper.stopped) return
    this.#earlyCancel = reason
    stopper.stop(new ParleyError({ code: 'cancelled', ...reason }))
  }

  /** Resolves when the run is open, or over. `undefined` if it already is. */
  opened(): Promise<void> | undefined {
    if (this.#opened || this.#over) return undefined
    this.#opening ??= Promise.withResolvers()
    return this.#opening.promise
  }

  /** Checks that the run still takes commands. @throws ParleyError `run-ended` if the run takes no more commands. */
  checkRunning(): void {
    const { facts, state, stopper } = this.#run
    if (this.#over || state.outcome !== undefined || stopper.stopped)
      throw new ParleyError({ code: 'run-ended', runId: facts.runId })
  }

  /** Records a command and makes it durable. @throws ParleyError `run-ended`, and what `record` throws. */
  async command(record: () => void): Promise<void> {
    const { journal } = this.#run
    const opening = this.opened()
    if (opening !== undefined) await opening
    const isOpen = await journal.whileOpen(() => {
      this.checkRunning()
      record()
    })
    if (!isOpen) throw new ParleyError({ code: 'run-ended', runId: this.#run.facts.runId })
    await journal.commit()
  }

  async #open(open: () => Promise<void> | void): Promise<void> {
    // A reader that starts in the same tick as the run sees every event.
    await Promise.resolve()
    await open()
    this.#opened = true
    if (this.#earlyCancel !== undefined)
      this.#run.journal.record({ type: 'cancel.requested', reason: this.#earlyCancel })
    if (this.#opening === undefined) return
    this.#opening.resolve()
    // Commands that waited for the opening are recorded before the first decision.
    await Promise.resolve()
  }

  async #drive(opening: Promise<void>, host: DurableHost | undefined): Promise<RunResult> {
    const run = this.#run
    try {
      await opening
      const ending = await drive(run, host)
      return this.#resultOf(ending, await this.#output())
    } catch (cause) {
      run.stopper.stop(cause)
      // A host repeats a failed step itself.
      const outcome = host === undefined || run.journal.isBroken ? await endPoisoned(run, cause) : undefined
      if (outcome !== undefined) return this.#resultOf(outcome)
      // The store failed, another worker has claimed the run, or its host gave it up: this process must write nothing more.
      const { stored } = run.journal
      // Without a journal, for example because its session is busy, no process can resume the run. A host begins it again.
      const isLost = stored === 'refused' || (stored === 'none' && (host === undefined || !this.#opened))
      run.journal.abandon(cause)
      const error = toErrorInfo(cause)
      run.emit({ type: 'run.interrupted', error })
      return this.#resultOf({ status: isLost ? 'failed' : 'interrupted', error })
    } finally {
      this.#over = true
      this.#opening?.resolve()
      run.feed.end()
    }
  }

  /** The accepted value, as the output schema transforms it. */
  async #output(): Promise<unknown> {
    const { agent, state } = this.#run
    if (state.output === undefined) return undefined
    const checked = await agent.output?.validate(state.output.value)
    return checked?.ok === true ? checked.value : state.output.value
  }

  #resultOf(ending: Outcome | Suspended | Interrupted, output?: unknown): RunResult {
    return toRunResult(this.#run.facts, this.#run.state, { ending, output })
  }
}

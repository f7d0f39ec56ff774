import type { CancelReason, ErrorInfo } from '@parley/core'
import { CancelledError, RestatePromise, type WorkflowContext } from '@restatedev/restate-sdk'
import type { RunOperations } from './run-operations.ts'
import type { SentDecision, SentInput, StepReport } from './run-order.ts'
import { promiseNames } from './service-contract.ts'

type Suspended = Extract<StepReport, { type: 'suspended' }>

/** What a wait for the run ends with: finished work, or the next signal from outside. */
type Signal<TValue> =
  | { readonly type: 'done'; readonly value: TValue }
  | { readonly type: 'cancelled'; readonly reason: CancelReason }
  /** The run has taken or rejected the input, and its sender has the answer. */
  | { readonly type: 'input'; readonly input: SentInput }
  | { readonly type: 'decided'; readonly decided: SentDecision }

type ReceivedInput = { readonly type: 'received'; readonly input: SentInput }

/** The operator cancelled the invocation. Restate then rejects the promise that is awaited, and no later one. */
const BY_OPERATOR: CancelReason = { kind: 'user', detail: 'its invocation was cancelled' }

/**
 * The signals that reach a run from outside: cancellation, messages and decisions. Each is a durable promise, and Restate keeps
 * the order in which they resolve. So a repeated attempt receives the same signal at the same point.
 */
export class RunSignals {
  readonly #context: WorkflowContext
  readonly #run: RunOperations
  readonly #cancelling: RestatePromise<Signal<never>>
  #input: RestatePromise<ReceivedInput>
  #inputs = 0
  readonly #decisions = new Map<string, RestatePromise<Signal<never>>>()
  /** Approvals whose decision `next` has returned. Each decision counts once. */
  readonly #decided = new Set<string>()
  /** Why the run was cancelled. `undefined` until then. */
  cancel: CancelReason | undefined

  constructor(context: WorkflowContext, run: RunOperations) {
    this.#context = context
    this.#run = run
    const cancelling = context.promise<CancelReason>(promiseNames.cancel).get()
    this.#cancelling = cancelling.map(reason => ({ type: 'cancelled', reason: reason ?? { kind: 'user' } }))
    this.#input = this.#nextInput()
  }

  /** Awaits an operation that must finish even if the operator cancels the invocation. */
  async finish<TValue>(promise: Promise<TValue>): Promise<TValue> {
    try {
      return await promise
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error
      this.#stop(BY_OPERATOR)
      return promise
    }
  }

  /** Awaits a step, and delivers what is sent to the run until the step ends. */
  async step<TValue>(step: RestatePromise<TValue>): Promise<TValue> {
    for (;;) {
      const signal = await this.next([step], [])
      if (signal.type === 'done') return signal.value
    }
  }

  /**
   * Waits for a signal that lets a suspended run continue. No worker holds the run until then. Returns the decision, or
   * `undefined` for another signal or an expired approval.
   */
  async decision({ approvalIds, waitMs }: Suspended): Promise<SentDecision | undefined> {
    const timers = waitMs === undefined ? [] : [this.#context.sleep(waitMs, 'approval')]
    const signal = await this.next(timers, approvalIds)
    return signal.type === 'decided' ? signal.decided : undefined
  }

  /**
   * Returns the first of these promises that resolves, or the first signal. If the signal is an input, the run has already
   * received it.
   */
  async next<TValue>(
    others: readonly RestatePromise<TValue>[],
    approvalIds: readonly string[],
  ): Promise<Signal<TValue>> {
    const cancelling = this.cancel === undefined ? [this.#cancelling] : []
    const deciding = approvalIds.filter(approvalId => !this.#decided.has(approvalId)).map(id => this.#decisionOn(id))
    const done = others.map(other => other.map(toDone))
    try {
      const first = await RestatePromise.race([...done, ...deciding, ...cancelling, this.#input])
      if (first.type === 'received') {
        await this.#deliver(first.input)
        return { type: 'input', input: first.input }
      }
      if (first.type === 'cancelled') this.#stop(first.reason)
      if (first.type === 'decided') this.#decided.add(first.decided.approvalId)
      return first
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error
      this.#stop(BY_OPERATOR)
      return { type: 'cancelled', reason: BY_OPERATOR }
    }
  }

  #stop(reason: CancelReason): void {
    this.cancel ??= reason
    this.#run.cancel(this.cancel)
  }

  #nextInput(): RestatePromise<ReceivedInput> {
    const input = this.#context.promise<SentInput>(promiseNames.input(this.#inputs)).get()
    return input.map(received => {
      if (received === undefined) throw new Error('the input promise resolved without an input')
      return { type: 'received', input: received }
    })
  }

  #decisionOn(approvalId: string): RestatePromise<Signal<never>> {
    const known = this.#decisions.get(approvalId)
    if (known !== undefined) return known
    const promise = this.#context.promise<SentDecision>(promiseNames.decision(approvalId)).get()
    const decision = promise.map((decided): Signal<never> => {
      if (decided === undefined) throw new Error('the decision promise resolved without a decision')
      return { type: 'decided', decided }
    })
    this.#decisions.set(approvalId, decision)
    return decision
  }

  /** Gives the input to the run, and the outcome to its sender. */
  async #deliver(input: SentInput): Promise<void> {
    const index = this.#inputs
    this.#inputs += 1
    this.#input = this.#nextInput()
    const id = `${this.#context.key}/${index}`
    const name = promiseNames.input(index)
    const answer = await this.finish(this.#context.run(name, () => deliver(this.#run, input, id)))
    await this.finish(this.#context.promise(promiseNames.answer(index)).resolve(answer))
  }
}

/** Returns the error if the run rejects the input. */
async function deliver(run: RunOperations, input: SentInput, id: string): Promise<{ readonly error?: ErrorInfo }> {
  if (input.kind !== 'child-suspended') return run.queue(input, id)
  await run.noteSuspendedChild(input.runId)
  return {}
}

function toDone<TValue>(value: TValue | undefined): Signal<TValue> {
  // A failed operation rejects, so `undefined` is its value.
  return { type: 'done', value: value as TValue }
}

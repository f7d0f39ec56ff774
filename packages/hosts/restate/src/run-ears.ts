import type { CancelReason } from '@parley/core'
import { CancelledError, RestatePromise, type WorkflowContext } from '@restatedev/restate-sdk'
import type { HeldRun } from './held-run.ts'
import type { SentDecision, SentInput, StepReport } from './run-order.ts'
import { promiseNames } from './service-names.ts'

type Waits = Extract<StepReport, { type: 'waits' }>

type Heard<TStep> =
  | { readonly type: 'done'; readonly value: TStep }
  | { readonly type: 'cancelled'; readonly reason: CancelReason }
  | { readonly type: 'said'; readonly input: SentInput }
  | { readonly type: 'decided'; readonly decided: SentDecision }
  | { readonly type: 'time-up' }

/** Restate's own `cancel`, which rejects whatever is waited for, once. */
const BY_OPERATOR: CancelReason = { kind: 'user', detail: 'its invocation was cancelled' }

/**
 * What reaches a run while it goes on. Everything arrives as a durable promise, in an order that Restate keeps: a repeated
 * attempt hears the same at the same point.
 */
export class RunEars {
  readonly #context: WorkflowContext
  readonly #run: HeldRun
  readonly #cancelling: RestatePromise<Heard<never>>
  #listening: RestatePromise<Heard<never>>
  #inputs = 0
  /** Decisions that have been handed on; each counts once. */
  readonly #decided = new Set<string>()
  /** Why the run is to be cancelled, once that was said. */
  cancel: CancelReason | undefined

  constructor(context: WorkflowContext, run: HeldRun) {
    this.#context = context
    this.#run = run
    const cancelling = context.promise<CancelReason>(promiseNames.cancel).get()
    this.#cancelling = cancelling.map(reason => ({ type: 'cancelled', reason: reason ?? { kind: 'user' } }))
    this.#listening = this.#listen()
  }

  /** Waits for something that has to be waited for also by a run that is cancelled meanwhile. */
  async through<TValue>(promise: Promise<TValue>): Promise<TValue> {
    try {
      return await promise
    } catch (error) {
      if (!(error instanceof CancelledError)) throw error
      this.#stop(BY_OPERATOR)
      return promise
    }
  }

  /** Waits for a step while what is sent meanwhile reaches the run. */
  async during<TValue>(step: RestatePromise<TValue>): Promise<TValue> {
    const done = step.map(toDone)
    for (;;) {
      const heard = await this.#next([done])
      if (heard.type === 'done') return heard.value
      if (heard.type === 'said') await this.#hand(heard.input)
    }
  }

  /** Waits, without a process that holds the run, for something to go on with: a decision, when it is one. */
  async wait({ approvalIds, waitMs }: Waits): Promise<SentDecision | undefined> {
    const deciding = approvalIds
      .filter(approvalId => !this.#decided.has(approvalId))
      .map(approvalId => this.#decision(approvalId))
    const timers =
      waitMs === undefined
        ? []
        : [this.#context.sleep(waitMs, 'approval').map((): Heard<never> => ({ type: 'time-up' }))]
    const heard = await this.#next([...deciding, ...timers])
    if (heard.type === 'said') await this.#hand(heard.input)
    if (heard.type !== 'decided') return undefined
    this.#decided.add(heard.decided.approvalId)
    return heard.decided
  }

  async #next<TValue>(others: readonly RestatePromise<Heard<TValue>>[]): Promise<Heard<TValue>> {
    const cancelling = this.cancel === undefined ? [this.#cancelling] : []
    try {
      const heard = await RestatePromise.race([...others, ...cancelling, this.#listening])
      if (heard.type === 'cancelled') this.#stop(heard.reason)
      return heard
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

  #listen(): RestatePromise<Heard<never>> {
    const input = this.#context.promise<SentInput>(promiseNames.input(this.#inputs)).get()
    return input.map(said => {
      if (said === undefined) throw new Error('an input without a message')
      return { type: 'said', input: said }
    })
  }

  #decision(approvalId: string): RestatePromise<Heard<never>> {
    const decision = this.#context.promise<SentDecision>(promiseNames.decision(approvalId)).get()
    return decision.map(decided => {
      if (decided === undefined) throw new Error('a decision that decides nothing')
      return { type: 'decided', decided }
    })
  }

  /** Lets the run hear it, and the sender know. */
  async #hand(input: SentInput): Promise<void> {
    const index = this.#inputs
    this.#inputs += 1
    this.#listening = this.#listen()
    const id = `${this.#context.key}/${index}`
    const answer = await this.through(this.#context.run(promiseNames.input(index), () => this.#run.say(input, id)))
    await this.through(this.#context.promise(promiseNames.heard(index)).resolve(answer))
  }
}

function toDone<TValue>(value: TValue | undefined): Heard<TValue> {
  // Only a step that failed has no value, and that is thrown.
  return { type: 'done', value: value as TValue }
}

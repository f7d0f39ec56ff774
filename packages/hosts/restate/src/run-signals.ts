import type { CancelReason, ErrorInfo } from '@parley/core'
import { CancelledError, RestatePromise, type WorkflowContext } from '@restatedev/restate-sdk'
import type { HeldRun } from './held-run.ts'
import type { SentDecision, SentInput, StepReport } from './run-order.ts'
import { promiseNames } from './service-names.ts'

type Waits = Extract<StepReport, { type: 'waits' }>

type Heard<TStep> =
  | { readonly type: 'done'; readonly value: TStep }
  | { readonly type: 'cancelled'; readonly reason: CancelReason }
  /** By somebody who is answered by now. */
  | { readonly type: 'told'; readonly input: SentInput }
  | { readonly type: 'decided'; readonly decided: SentDecision }

type Said = { readonly type: 'said'; readonly input: SentInput }

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
  #listening: RestatePromise<Said>
  #inputs = 0
  readonly #deciding = new Map<string, RestatePromise<Heard<never>>>()
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
    for (;;) {
      const heard = await this.next([step], [])
      if (heard.type === 'done') return heard.value
    }
  }

  /** Waits, without a process that holds the run, for something to go on with: a decision, when it is one. */
  async wait({ approvalIds, waitMs }: Waits): Promise<SentDecision | undefined> {
    const timers = waitMs === undefined ? [] : [this.#context.sleep(waitMs, 'approval')]
    const heard = await this.next(timers, approvalIds)
    return heard.type === 'decided' ? heard.decided : undefined
  }

  /** The first thing to happen: one of these is done, or something is heard. What was said has been handed on by then. */
  async next<TValue>(
    others: readonly RestatePromise<TValue>[],
    approvalIds: readonly string[],
  ): Promise<Heard<TValue>> {
    const cancelling = this.cancel === undefined ? [this.#cancelling] : []
    const deciding = approvalIds.filter(approvalId => !this.#decided.has(approvalId)).map(id => this.#decision(id))
    const done = others.map(other => other.map(toDone))
    try {
      const heard = await RestatePromise.race([...done, ...deciding, ...cancelling, this.#listening])
      if (heard.type === 'said') {
        await this.#hand(heard.input)
        return { type: 'told', input: heard.input }
      }
      if (heard.type === 'cancelled') this.#stop(heard.reason)
      if (heard.type === 'decided') this.#decided.add(heard.decided.approvalId)
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

  #listen(): RestatePromise<Said> {
    const input = this.#context.promise<SentInput>(promiseNames.input(this.#inputs)).get()
    return input.map(said => {
      if (said === undefined) throw new Error('an input without a message')
      return { type: 'said', input: said }
    })
  }

  #decision(approvalId: string): RestatePromise<Heard<never>> {
    const known = this.#deciding.get(approvalId)
    if (known !== undefined) return known
    const promise = this.#context.promise<SentDecision>(promiseNames.decision(approvalId)).get()
    const decision = promise.map((decided): Heard<never> => {
      if (decided === undefined) throw new Error('a decision that decides nothing')
      return { type: 'decided', decided }
    })
    this.#deciding.set(approvalId, decision)
    return decision
  }

  /** Lets the run hear it, and the sender know. */
  async #hand(input: SentInput): Promise<void> {
    const index = this.#inputs
    this.#inputs += 1
    this.#listening = this.#listen()
    const id = `${this.#context.key}/${index}`
    const name = promiseNames.input(index)
    const answer = await this.through(this.#context.run(name, () => hear(this.#run, input, id)))
    await this.through(this.#context.promise(promiseNames.heard(index)).resolve(answer))
  }
}

/** Why it was refused, if it was. */
async function hear(run: HeldRun, input: SentInput, id: string): Promise<{ readonly error?: ErrorInfo }> {
  if (input.kind !== 'asks') return run.say(input, id)
  await run.note(input.runId)
  return {}
}

function toDone<TValue>(value: TValue | undefined): Heard<TValue> {
  // Only a step that failed has no value, and that is thrown.
  return { type: 'done', value: value as TValue }
}

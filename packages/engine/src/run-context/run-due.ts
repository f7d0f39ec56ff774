import type { ContextPolicy, ContextView, Turn } from '@parley/core'
import type { Due } from '../journal/decide.ts'

/** The view of the messages, with the policy that decides whether to compact it. */
type PolicyView = ContextView & { readonly policy: ContextPolicy }

/** The part of a run that `RunDue` reads. */
interface DueOwner {
  readonly state: { readonly seq: number }
  readonly prompt: { readonly view: PolicyView | undefined }
  readonly middleware: { readonly hooksTurns: boolean }
}

/** The conditions of this process that decide what a run does next. */
export class RunDue implements Due {
  /** Set when this process stops driving the run. */
  released = false
  /** The turn whose `beforeTurn` hooks ran and whose `afterTurn` hooks have not run yet. */
  open: Turn | undefined
  readonly #run: DueOwner
  #tried: { readonly due: number; readonly overflow: number } = { due: 0, overflow: 0 }
  #answer: { readonly seq: number; readonly due: boolean; readonly thrown: unknown } | undefined

  constructor(run: DueOwner) {
    this.#run = run
  }

  get openTurn(): number | undefined {
    return this.open?.turn
  }

  get hooksTurns(): boolean {
    return this.#run.middleware.hooksTurns
  }

  compaction(turn: number, trigger: 'due' | 'overflow'): boolean {
    if (this.#tried[trigger] === turn) return false
    return trigger === 'overflow' || this.#isDue()
  }

  /** Notes that a compaction is tried for this turn. @returns The error of the policy's `due`, if it threw. */
  tryCompaction(turn: number, trigger: 'due' | 'overflow'): unknown {
    this.#tried = { ...this.#tried, [trigger]: turn }
    const thrown = this.#answer?.thrown
    this.#answer = undefined
    return thrown
  }

  /** Asks the policy once for each state: `decide` may be called several times. An error counts as due. */
  #isDue(): boolean {
    const { view } = this.#run.prompt
    if (view === undefined) return false
    const { seq } = this.#run.state
    if (this.#answer?.seq === seq) return this.#answer.due
    try {
      this.#answer = { seq, due: view.policy.due(view), thrown: undefined }
    } catch (thrown) {
      this.#answer = { seq, due: true, thrown }
    }
    return this.#answer.due
  }
}

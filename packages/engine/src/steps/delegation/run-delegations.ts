import type { CallDelegation, Delegations, SpendingRun } from '../../run-context/children/delegations.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { Delegation } from './delegation.ts'
import { endChildren } from './end-children.ts'

/** The child runs of a run, for the steps that execute its tool calls. */
export class RunDelegations implements Delegations {
  /**
   * The child runs that are running, by their ids. The map is created for the first one, because an empty map takes 180 bytes
   * of each run (bench: tricks children-map).
   */
  running: Map<string, SpendingRun> | undefined
  readonly #run: RunContext

  constructor(run: RunContext) {
    this.#run = run
  }

  add(runId: string, run: SpendingRun): void {
    this.running ??= new Map()
    this.running.set(runId, run)
  }

  open(callId: string, mayLeave: boolean): CallDelegation {
    return new Delegation({ run: this.#run, callId, mayLeave, onEnded: runId => this.running?.delete(runId) })
  }

  end(callId: string): Promise<void> {
    return endChildren(this.#run, callId, () => false)
  }
}

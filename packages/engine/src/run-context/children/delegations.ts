import type { DelegateRequest, DelegateResult } from '@parley/core'
import type { RunState } from '../../journal/run-state.ts'
import type { ChildOrder } from './child-order.ts'

/** The child runs of a run. Tool steps start them through this interface. */
export interface Delegations {
  /** Child runs that this process drives now, by run id. `undefined` before the first child run. */
  readonly running: ReadonlyMap<string, SpendingRun> | undefined
  /** Adds a child run to `running`. */
  add(runId: string, run: SpendingRun): void
  /** Opens the delegation of one tool call. `mayLeave`: the host starts the child runs that `orders` describes. */
  open(callId: string, mayLeave: boolean): CallDelegation
  /** Cancels the child runs of a call that has ended, and records their results. */
  end(callId: string): Promise<void>
}

/** A run whose spending counts for its parent run. */
export interface SpendingRun {
  readonly state: RunState
  readonly delegations: Pick<Delegations, 'running'>
}

/** The child runs that work for one tool call. */
export interface CallDelegation {
  /** Child runs that the host must start; the call stays pending until they have ended. */
  readonly orders: readonly ChildOrder[]
  /** Implements `ToolContext.delegate` for one handler. `signal` is the signal of its call. */
  delegate(request: DelegateRequest, signal: AbortSignal): Promise<DelegateResult>
  /**
   * Waits for the child runs after the handler has settled, or stops them if the handler did not wait for them.
   * @returns Whether the call stays pending: a child run is suspended for approval, or the host must start one.
   * @throws The error that interrupted a child run.
   */
  settle(): Promise<boolean>
}

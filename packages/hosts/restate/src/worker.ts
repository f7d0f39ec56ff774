import type { CancelReason, Clock, LiveBus, Store } from '@parley/core'
import type { Runtime } from '@parley/engine'

/** A run that this process holds for one attempt at its invocation. */
export interface AttemptRun {
  /** Resolves when no operation is running. */
  settled(): Promise<void>
  /** Lets running operations finish, then releases the run. */
  drain(): Promise<void>
  /** Releases the run at once, as a crash would. */
  release(): Promise<void>
  cancel(reason: CancelReason): void
}

/** The state that the handlers of one process share. */
export interface Worker {
  readonly runtime: Runtime
  readonly store: Store
  readonly clock: Clock
  readonly live: LiveBus | undefined
  readonly maxStepMs: number
  /** Runs whose steps this process takes, by id. */
  readonly held: Map<string, AttemptRun>
  /** Whether the worker is closing. No step starts after that. */
  closing: boolean
}

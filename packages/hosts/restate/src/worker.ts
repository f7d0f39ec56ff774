import type { Clock, LiveBus, Store } from '@parley/core'
import type { Runtime } from '@parley/engine'
import type { HeldRun } from './held-run.ts'

/** What the handlers of a process share. */
export interface Worker {
  readonly runtime: Runtime
  readonly store: Store
  readonly clock: Clock
  readonly live: LiveBus | undefined
  readonly maxStepMs: number
  /** The runs whose steps are taken here, by id. */
  readonly held: Map<string, HeldRun>
  /** Set once no step may begin here any more. */
  closing: boolean
}

import type { Clock, Store } from '@parley/core'
import type { ChildRuns } from '../agents/child-runs.ts'
import type { AgentRegistry } from './agent-registry.ts'

/** What starting and resuming a run take from the runtime. */
export interface RuntimeContext {
  readonly agents: AgentRegistry
  readonly store: Store | undefined
  readonly clock: Clock
  readonly worker: string
  readonly children: ChildRuns
  readonly isWorkerGone: (worker: string) => boolean
}

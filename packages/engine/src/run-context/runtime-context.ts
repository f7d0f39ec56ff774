import type { Clock, RunFacts, Store } from '@parley/core'
import type { ChildRuns } from './child-runs.ts'
import type { RequestCapture } from './request-capture.ts'
import type { WatchedAnswer } from '../steps/model/watched-answer.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import type { RunSink } from './run-feed.ts'
import type { AgentRegistry } from '../agent/agent-registry.ts'

/** What starting and resuming a run take from the runtime. */
export interface RuntimeContext {
  readonly agents: AgentRegistry
  readonly store: Store | undefined
  readonly clock: Clock
  readonly worker: string
  readonly children: ChildRuns
  /** Where the runtime sees the events of a run. */
  readonly sinkFor: (run: RunFacts) => RunSink
  readonly captureRequests: RequestCapture
  readonly isWorkerGone: (worker: string) => boolean
  readonly newest: Newest
}

/**
 * What was driven last. V8 throws away the code it has optimised for shapes of objects that no object has any more: without
 * these, a full garbage collection between two runs would have the next ones begin with cold code.
 */
export interface Newest {
  run?: RunHandle
  answer?: WatchedAnswer
}

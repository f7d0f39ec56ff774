import type { Clock, MemoryQuotas, ParleyError, RunFacts, Store } from '@parley/core'
import type { AgentRegistry } from '../agent/agent-registry.ts'
import type { ChildRuns } from './children/child-runs.ts'
import type { AnswerRoom } from './model-stream/answer-room.ts'
import type { RequestCapture } from './request-capture.ts'
import type { RunSink } from './feed/run-feed.ts'

/** Receives a failure, and the agent and the id of its run. */
export type OnUnreadFailure = (failure: ParleyError, run: Pick<RunFacts, 'agent' | 'runId'>) => void

/** The services of a runtime that the runs it drives use. */
export interface RuntimePorts {
  readonly agents: AgentRegistry
  readonly store: Store | undefined
  /** Totals of quotas, if there is no store. */
  readonly processQuotas?: MemoryQuotas | undefined
  readonly clock: Clock
  /** Name of this process in the store's claims. */
  readonly worker: string
  /** Starts and resumes child runs. */
  readonly children: ChildRuns
  /** Where the runtime receives the events of a run. */
  readonly sinkFor: (run: RunFacts) => RunSink
  /** Receives failures that no code reads: of runs, and of tools that threw. */
  readonly onUnreadFailure: OnUnreadFailure
  readonly captureRequests: RequestCapture
  /** Bounds the answers that runs receive at the same time. */
  readonly answerRoom: AnswerRoom
  /** Whether the process that claimed a run is known to be dead, so that its lease need not expire first. */
  readonly isWorkerGone: (worker: string) => boolean
}

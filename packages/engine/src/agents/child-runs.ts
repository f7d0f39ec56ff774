import type { ResumeRequest } from '../run/resume-run.ts'
import type { RunHandle } from '../run/run-handle.ts'
import type { StartRequest } from '../run/start-run.ts'

/** The way to a run of its own, for a step of another run. */
export interface ChildRuns {
  start(request: StartRequest): RunHandle
  /** @throws What `resumeRun` throws. */
  resume(request: ResumeRequest): Promise<RunHandle>
}

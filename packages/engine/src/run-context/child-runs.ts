import type { ResumeRequest } from '../loop/resume-run.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import type { StartRequest } from '../loop/start-run.ts'

/** The way to a run of its own, for a step of another run. */
export interface ChildRuns {
  start(request: StartRequest): RunHandle
  /** @throws What `resumeRun` throws. */
  resume(request: ResumeRequest): Promise<RunHandle>
}

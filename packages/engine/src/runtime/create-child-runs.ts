import { resumeRun } from '../loop/resume-run.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import { startRun } from '../loop/start-run.ts'
import type { RuntimeContext } from '../run-context/runtime-context.ts'
import type { ChildRuns } from '../run-context/child-runs.ts'

/**
 * Runs sub-agents in a runtime. They are listed in `working`, so that nobody else takes them up meanwhile; the lease,
 * the stopping and the approvals are their caller's.
 */
export function createChildRuns(context: () => RuntimeContext, working: Map<string, RunHandle>): ChildRuns {
  function hold(run: RunHandle): RunHandle {
    working.set(run.runId, run)
    void run.result.then(() => working.delete(run.runId))
    return run
  }
  return {
    start: request => hold(startRun(context(), request)),
    resume: async request => hold((await resumeRun(context(), request)).run),
  }
}

import { resumeRun } from '../run/resume-run.ts'
import type { RunHandle } from '../run/run-handle.ts'
import { startRun } from '../run/start-run.ts'
import type { RuntimeContext } from '../runtime/runtime-context.ts'
import type { ChildRuns } from './child-runs.ts'

/**
 * Runs sub-agents in a runtime. They are among its `active` runs, so that nobody else takes them up meanwhile; the lease,
 * the stopping and the approvals are their caller's.
 */
export function createChildRuns(context: () => RuntimeContext, active: Map<string, RunHandle>): ChildRuns {
  function hold(run: RunHandle): RunHandle {
    active.set(run.runId, run)
    void run.result.then(() => active.delete(run.runId))
    return run
  }
  return {
    start: request => hold(startRun(context(), request)),
    resume: async request => hold(await resumeRun(context(), request)),
  }
}

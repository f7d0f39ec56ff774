import type { TurnoverMap } from '@parley/core'
import { resumeRun } from '../loop/resume-run.ts'
import type { RunHandle } from '../loop/run-handle.ts'
import { startRun } from '../loop/start-run.ts'
import type { ChildRuns } from '../run-context/children/child-runs.ts'
import type { RuntimePorts } from '../run-context/runtime-ports.ts'

/**
 * Drives child runs in a runtime. `driven` lists them, so that no other part of the runtime resumes them. Their parent
 * run has the lease, and handles their stop and their approvals.
 */
export function createChildRuns(ports: () => RuntimePorts, driven: TurnoverMap<string, RunHandle>): ChildRuns {
  function hold(run: RunHandle): RunHandle {
    driven.set(run.runId, run)
    void run.settled.then(() => {
      // A run that could not begin because it exists is resumed under the same id.
      if (driven.get(run.runId) === run) driven.delete(run.runId)
    })
    return run
  }
  return {
    start: ({ parent, runId, agent, input, options }) =>
      hold(startRun(ports(), { agent, input, options, child: { parent, runId } })),
    // The process that drives the parent run drives its child runs, so that their claims need not be respected.
    resume: async ({ parent, runId, agent, decisions, cancel }) =>
      hold((await resumeRun(ports(), { runId, force: true, cancel, child: { parent, agent, decisions } })).run),
  }
}

import { ParleyError, type RunRecord, type Store } from '@parley/core'
import type { Run, Runtime } from '@parley/engine'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scenario } from './scenario.ts'

export interface ScenarioRun {
  readonly scenario: Scenario
  readonly sessionId: string
  readonly runtime: Runtime
  readonly store: Store
  readonly onRun: (run: Run) => void
}

/**
 * Starts a scenario, or resumes it from the journals of its session. Drives the scenario until all of its runs have
 * ended.
 */
export async function finishScenario(at: ScenarioRun): Promise<void> {
  for (;;) {
    const run = await nextRun(at)
    if (run === undefined) return
    if (run === 'over') continue
    at.onRun(run)
    const result = await run.result
    if (result.status === 'interrupted') throw new Error(`interrupted: ${JSON.stringify(result.error)}`)
  }
}

/** The root runs of the session, oldest first. */
export async function rootRuns(store: Store, sessionId: string): Promise<readonly RunRecord[]> {
  const records = await store.runs({ scope: 'default', sessionId })
  return records.filter(({ relation }) => relation !== 'sub-agent').toReversed()
}

async function nextRun(at: ScenarioRun): Promise<Run | 'over' | undefined> {
  const { scenario, runtime, store, sessionId } = at
  const { inputs = ['go'], forkAt } = scenario
  const records = await rootRuns(store, sessionId)
  const newest = records.at(-1)
  if (newest?.status === 'suspended') return resumeSuspended(at, newest.runId)
  if (newest?.status === 'running') return runtime.resume(newest.runId)
  const input = inputs[records.length]
  if (input === undefined) return undefined
  if (newest !== undefined && forkAt !== undefined) return runtime.fork(newest.runId, { at: forkAt, input })
  return runtime.run(agentOf(runtime), input, { sessionId })
}

async function resumeSuspended({ scenario, runtime, store }: ScenarioRun, runId: string): Promise<Run | 'over'> {
  const entries = await store.read(runId)
  const waiting = entries.findLast(entry => entry.type === 'run.suspended')?.approvals[0]
  if (waiting === undefined || scenario.decide === undefined) {
    if (waiting?.expiresAt !== undefined) await sleep(Math.max(0, waiting.expiresAt - Date.now()))
    return resumeUnlessOver(runtime, runId)
  }
  const nth = entries.filter(entry => entry.type === 'approval.decided').length
  const by = { id: 'ada', roles: ['boss'] }
  return runtime.decide(runId, waiting.approvalId, { decision: scenario.decide(nth), by })
}

/**
 * Resumes a run unless it has ended or another process drives it. When an approval times out, the process that
 * requested it also resumes the run, and may be the first.
 */
async function resumeUnlessOver(runtime: Runtime, runId: string): Promise<Run | 'over'> {
  try {
    return await runtime.resume(runId)
  } catch (error) {
    if (ParleyError.is(error, 'run-ended') || ParleyError.is(error, 'run-busy')) return 'over'
    throw error
  }
}

function agentOf(runtime: Runtime): string {
  return runtime.agents.list()[0]?.name ?? ''
}

import { ParleyError, type RunRecord, type Store } from '@parley/core'
import type { Run, Runtime, ToolResult } from '@parley/engine'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ScenarioRun, Waiting } from './scenario.ts'

/**
 * Starts a scenario, or resumes it from the journals of its session. Drives the scenario until all of its runs have
 * ended.
 */
export async function finishScenario(at: ScenarioRun): Promise<void> {
  for (;;) {
    const run = await nextRun(at)
    if (run === undefined) return at.scenario.check?.(at)
    if (run === 'over') {
      await sleep(1)
      continue
    }
    at.onRun(run)
    const result = await run.result
    if (result.status === 'interrupted') throw new Error(`interrupted: ${JSON.stringify(result.error)}`)
  }
}

/** Returns the root runs of the session, oldest first. */
export async function rootRuns(store: Store, sessionId: string): Promise<readonly RunRecord[]> {
  const records = await store.runs({ scope: 'default', sessionId })
  return records.filter(({ relation }) => relation !== 'sub-agent').toReversed()
}

async function nextRun(at: ScenarioRun): Promise<Run | 'over' | undefined> {
  const { scenario, runtime, store, sessionId } = at
  const { inputs = ['go'], forkAt, clientTools } = scenario
  const records = await rootRuns(store, sessionId)
  const newest = records.at(-1)
  if (newest?.status === 'suspended') return resumeSuspended(at, newest.runId)
  if (newest?.status === 'running') return resumeUnlessOver(runtime, newest.runId)
  const input = inputs[records.length]
  if (input === undefined) return undefined
  if (newest !== undefined && forkAt !== undefined) return runtime.fork(newest.runId, { at: forkAt, input })
  return runtime.run(agentOf(runtime), input, { sessionId, clientTools })
}

async function resumeSuspended(at: ScenarioRun, runId: string): Promise<Run | 'over'> {
  const { scenario, runtime, store } = at
  const entries = await store.read(runId)
  const suspended = entries.findLast(entry => entry.type === 'run.suspended')
  const calls = (suspended?.clientCalls ?? []).map(call => ({ ...call, runId: call.runId ?? runId }))
  if (scenario.whenWaiting !== undefined) return scenario.whenWaiting({ ...at, runId, entries, calls })
  const [call] = calls
  if (call !== undefined && scenario.submit !== undefined) return submitTwice(runtime, call, scenario.submit(call))
  const waiting = suspended?.approvals[0] ?? call
  if (waiting === undefined || !('approvalId' in waiting) || scenario.decide === undefined) {
    return waitForExpiry(at.runtime, runId, waiting?.expiresAt)
  }
  const nth = entries.filter(entry => entry.type === 'approval.decided').length
  const by = { id: 'ada', roles: ['boss'] }
  return runtime.decide(runId, waiting.approvalId, { decision: scenario.decide(nth), by })
}

/** Waits until the request of a suspended run expires, and resumes the run. */
export async function waitForExpiry(runtime: Runtime, runId: string, expiresAt = 0): Promise<Run | 'over'> {
  await sleep(Math.max(0, expiresAt - Date.now()))
  return resumeUnlessOver(runtime, runId)
}

/** Two clients submit a result. Exactly one counts. The test cannot know which one, so both submit the same result. */
async function submitTwice(runtime: Runtime, call: Waiting['calls'][number], result: ToolResult): Promise<Run> {
  const submit = (): Promise<Run> => runtime.submitToolResult(call.runId, call.callId, result)
  const [first, second] = await Promise.allSettled([submit(), submit()])
  const run = first.status === 'fulfilled' ? first.value : second.status === 'fulfilled' ? second.value : undefined
  if (run === undefined) throw first.status === 'rejected' ? (first.reason as Error) : new Error('unreachable')
  return run
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

import { ParleyError, type Entry } from '@parley/core'
import type { Run } from '@parley/engine'
import { requestHashOf } from '../runs/begin-once.ts'
import { priorEntries } from '../runs/prior-entries.ts'
import { attemptOf } from '../runs/read-attempt.ts'
import { RESPONSE_ID } from '../runs/start-run.ts'
import { journalThenLive } from '../runs/watch-run.ts'
import type { ServerContext } from '../state/server-context.ts'
import { agentIdOf, serveAgentResponse } from './serve-agent-response.ts'
import { givenFieldsOf, serveOpenAiResponse } from './serve-open-ai-response.ts'

/**
 * Resumes the runs of these scopes that no process drives: runs of a process that died, and runs that a process
 * released when it closed. Runs of a live worker and runs whose agent is missing stay as they are.
 * @returns The number of resumed runs.
 * @throws ParleyError `store-…`.
 */
export async function recoverRuns(server: ServerContext, scopes: Iterable<string>): Promise<number> {
  let recovered = 0
  for (const scope of scopes) {
    const { runs } = await server.runtime.resumeAll({ scope })
    await serveAll(server, scope, runs)
    recovered += runs.length
  }
  return recovered
}

/**
 * Resumes the runs of dead processes, as `recoverRuns` does. Suspended runs are not read, so that a server can call it often.
 * @returns The number of resumed runs.
 * @throws ParleyError `store-…`, `runtime-closed`.
 */
export async function takeOverRuns(server: ServerContext, scopes: Iterable<string>): Promise<number> {
  let recovered = 0
  for (const scope of scopes) {
    const unfinished = await server.store.runs({ scope, status: 'running', limit: Number.MAX_SAFE_INTEGER })
    for (const { runId, relation } of unfinished.toReversed()) {
      // A child run is resumed with its root run.
      if (relation === 'sub-agent' || server.live.find(scope, runId) !== undefined) continue
      const run = await tryResume(server, runId, scope)
      if (run === undefined) continue
      await serveAll(server, scope, [run])
      recovered++
    }
  }
  return recovered
}

/** `undefined` if a live worker has the run, if it has ended, or if this process cannot resume it. */
async function tryResume({ runtime }: ServerContext, runId: string, scope: string): Promise<Run | undefined> {
  try {
    return await runtime.resume(runId, { scope })
  } catch (error) {
    if (!ParleyError.is(error) || error.code === 'runtime-closed' || error.code === 'store-unavailable') throw error
    return undefined
  }
}

async function serveAll(server: ServerContext, scope: string, runs: readonly Run[]): Promise<void> {
  for (const run of runs) server.live.add(scope, run)
  for (const run of runs) await serveAgain(server, scope, run)
}

/** Writes the interrupted response of a run again from its first event, under the same id. */
async function serveAgain(server: ServerContext, scope: string, run: Run): Promise<void> {
  const { store } = server
  const { runId, sessionId } = run
  const entries = await store.read(runId)
  const [first] = entries
  const suspended = entries.findLast(entry => entry.type === 'run.suspended' && entry.reason !== 'shutdown')
  const fromSeq = (suspended?.seq ?? 0) + 1
  const watch = () => journalThenLive(store, run, fromSeq)
  const prior = priorEntries(entries, fromSeq)
  const common = { scope, runId, watch, prior, resumed: true }
  restoreAttempt(server, run, entries)
  const given = givenFieldsOf(entries)
  if (given !== undefined) {
    const model = first?.type === 'run.started' ? first.agent : ''
    serveOpenAiResponse(server, { ...common, fromSeq, model, given })
    return
  }
  const named = first?.type === 'run.started' ? first.metadata?.[RESPONSE_ID] : undefined
  const whole = typeof named === 'string' ? named : agentIdOf(runId, 1)
  const id = fromSeq === 1 ? whole : agentIdOf(runId, fromSeq)
  serveAgentResponse(server, { ...common, id, sessionId })
}

/** The client of the dead process lost its connection, so it may send its request again. */
function restoreAttempt(server: ServerContext, run: Run, entries: readonly Entry[]): void {
  const hash = requestHashOf(entries)
  if (hash === undefined) return
  const attempt = attemptOf(hash)
  attempt.begin({ runId: run.runId, fromSeq: 1 })
  server.attempts.add(attempt)
  attempt.leave()
  void run.result.then(({ status }) => server.attempts.end(attempt, status))
}

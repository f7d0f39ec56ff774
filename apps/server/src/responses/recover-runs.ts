import type { Run } from '@parley/engine'
import { RESPONSE_ID } from '../runs/start-run.ts'
import { journalThenLive } from '../runs/watch-run.ts'
import type { ServerContext } from '../state/server-context.ts'
import { serveAgentResponse } from './serve-agent-response.ts'
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
    for (const run of runs) server.live.add(scope, run)
    for (const run of runs) await serveAgain(server, scope, run)
    recovered += runs.length
  }
  return recovered
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
  const common = { scope, runId, watch, resumed: true }
  const given = givenFieldsOf(entries)
  if (given !== undefined) {
    const model = first?.type === 'run.started' ? first.agent : ''
    serveOpenAiResponse(server, { ...common, fromSeq, model, given })
    return
  }
  const named = first?.type === 'run.started' ? first.metadata?.[RESPONSE_ID] : undefined
  const whole = typeof named === 'string' ? named : `response_${runId}`
  const id = fromSeq === 1 ? whole : `response_${runId}_${fromSeq}`
  serveAgentResponse(server, { ...common, id, sessionId, prior: entries.slice(0, fromSeq - 1) })
}

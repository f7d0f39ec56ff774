import type { Run } from '@parley/engine'
import { RESPONSE_ID } from '../runs/start-run.ts'
import { serveAgentResponse } from './serve-agent-response.ts'
import { givenFieldsOf, serveOpenAiResponse } from './serve-open-ai-response.ts'
import type { ServerContext } from '../state/server-context.ts'
import { journalThenLive } from '../runs/watch-run.ts'

/**
 * Takes up the runs of these scopes that no process drives any more: those of one that died, and those one let go when it
 * closed. A run that another worker has, or whose agent is gone, is left as it is.
 * @returns How many were taken up.
 * @throws ParleyError `store-…`.
 */
export async function recoverRuns(server: ServerContext, scopes: Iterable<string>): Promise<number> {
  let taken = 0
  for (const scope of scopes) {
    const { runs } = await server.runtime.resumeAll({ scope })
    for (const run of runs) server.live.adopt(scope, run)
    for (const run of runs) await serveAgain(server, scope, run)
    taken += runs.length
  }
  return taken
}

/** Writes the response that was cut off again, from its beginning, under the id it had. */
async function serveAgain(server: ServerContext, scope: string, run: Run): Promise<void> {
  const { store } = server
  const { runId, sessionId } = run
  const entries = await store.read(runId)
  const [first] = entries
  const waited = entries.findLast(entry => entry.type === 'run.suspended' && entry.reason !== 'shutdown')
  const fromSeq = (waited?.seq ?? 0) + 1
  const watch = () => journalThenLive(store, run, fromSeq)
  const common = { scope, runId, watch, takenUp: true }
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

import type { FrameStream } from '@parley/agent-api'
import { findRun } from '../runs/find-run.ts'
import { priorEntries } from '../runs/prior-entries.ts'
import { watchRun } from '../runs/watch-run.ts'
import type { ServerContext } from '../state/server-context.ts'
import { agentResponseOf } from './serve-agent-response.ts'

export interface FramesQuery {
  readonly scope: string
  /** Id of the response. */
  readonly id: string
  /** Number of the last event that the reader has. -1 for the whole stream. */
  readonly after: number
}

/**
 * Returns the events of a response after a number. If the server no longer has them, returns the whole response as a new
 * stream, which restarts the client.
 * @throws Problem 404 if the response is unknown.
 */
export async function readAgentFrames(server: ServerContext, query: FramesQuery): Promise<FrameStream> {
  const { scope, id, after } = query
  const served = server.agentResponses.find(scope, id)
  const frames = served?.read(after) ?? served?.read()
  if (frames !== undefined) return frames
  return server.agentResponses.readAgain(scope, id, async () => {
    const found = await findRun(server, scope, id)
    const { record, fromSeq } = found
    const { runId, sessionId } = record
    const prior = fromSeq === 1 ? [] : priorEntries(await server.store.read(runId), fromSeq)
    return agentResponseOf(server, {
      id,
      scope,
      runId,
      sessionId,
      prior,
      resumed: true,
      watch: () => watchRun(server, found),
    })
  })
}

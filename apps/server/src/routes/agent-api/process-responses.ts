import { createAgentEncoder, type AgentEvent } from '@parley/agent-api'
import type { RunEncoder } from '@parley/encoders'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { readAgentFrames } from '../../responses/read-agent-frames.ts'
import { findRun, type FoundRun } from '../../runs/find-run.ts'
import { responseEvents } from '../../runs/watch-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerFrames } from '../answer-frames.ts'
import { lastEventId } from '../last-event-id.ts'

/** Adds `GET /process/:id` and `GET /process/:id/events`, which read a response that exists. */
export function addProcessResponseRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/process/:id', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    const served = server.agentResponses.find(scope, id)
    if (served !== undefined)
      return context.json(served.isEnded ? await served.ended : (served.current ?? (await served.started)))
    return context.json(await readResponse(server, id, await findRun(server, scope, id)))
  })

  app.get('/process/:id/events', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    const frames = await readAgentFrames(server, { scope, id, after: lastEventId(context) })
    return answerFrames(context, server, { frames })
  })
}

/** Reads a response from the journal. For an unfinished response, returns only its start. */
async function readResponse(server: ServerContext, id: string, found: FoundRun): Promise<AgentEvent | undefined> {
  const { runId } = found.record
  const encoder = await encoderOf(server, id, found)
  const events = responseEvents(await server.store.read(runId), { runId, fromSeq: found.fromSeq })
  return events.flatMap(event => encoder.push(event)).findLast(event => event.object === 'response')
}

async function encoderOf(
  { store, profile }: ServerContext,
  responseId: string,
  { record, fromSeq }: FoundRun,
): Promise<RunEncoder<AgentEvent>> {
  const entries = fromSeq === 1 ? [] : await store.read(record.runId)
  const { sessionId } = record
  return createAgentEncoder({ responseId, sessionId, profile, prior: entries.slice(0, fromSeq - 1) })
}

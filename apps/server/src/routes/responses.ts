import { agentApiStream, readAgentStream, toRunEvents, type AgentEvent } from '@parley/agent-api'
import type { RunEvent } from '@parley/core'
import type { Context, Hono } from 'hono'
import { answerEvents } from './answer-response.ts'
import { findRun } from '../runs/find-run.ts'
import { Problem } from '../problem/problem.ts'
import type { ServerContext } from '../server-context.ts'
import type { ServerEnv } from '../server-env.ts'

/** `GET /process/:id` and `GET /process/:id/events`: a response that was begun before. */
export function addResponseRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/process/:id', async context => {
    const { scope } = context.get('caller')
    const id = context.req.param('id')
    const served = server.shelf.find(scope, id)
    if (served !== undefined)
      return context.json(served.log.ended ? await served.ended : (served.current ?? (await served.begun)))
    return context.json(await readAgentStream(await fromJournal(server, scope, id)).response())
  })

  app.get('/process/:id/events', async context => {
    const { scope } = context.get('caller')
    const id = context.req.param('id')
    const startingAfter = readStartingAfter(context)
    const served = server.shelf.find(scope, id)
    // What is no longer kept is sent anew, from the journal.
    const events = served?.log.read(startingAfter) ?? served?.fresh() ?? (await fromJournal(server, scope, id))
    return answerEvents(context, server, events)
  })
}

/** @throws Problem 404, 409 for a run that goes on elsewhere. */
async function fromJournal(server: ServerContext, scope: string, id: string): Promise<AsyncIterable<AgentEvent>> {
  const { record, fromSeq } = await findRun(server, scope, id)
  if (record.status === 'running')
    throw new Problem(409, 'CONFLICT', { message: 'That run goes on in another process.' })
  const entries = await server.store.read(record.runId)
  const prior = entries.slice(0, fromSeq - 1)
  const events = toRunEvents(record.runId, entries).slice(fromSeq - 1)
  const { sessionId } = record
  return agentApiStream(listed(events), { responseId: id, sessionId, prior, profile: server.profile })
}

async function* listed(events: readonly RunEvent[]): AsyncGenerator<RunEvent, void> {
  yield* events
}

/** @throws Problem 400. */
function readStartingAfter(context: Context): number {
  const text = context.req.query('starting_after') ?? context.req.header('last-event-id') ?? '-1'
  if (/^(-1|\d{1,9})$/.test(text)) return Number(text)
  throw new Problem(400, 'INVALID_PARAMETER', { message: 'starting_after: must be the number of an event' })
}

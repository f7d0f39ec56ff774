import { agentApiStream, fileContent, readAgentStream, toRunEvents } from '@parley/agent-api'
import { isEntryEvent, type RunEvent, type RunRecord, type UserPart } from '@parley/core'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { notFound } from '../../problem/problem.ts'
import type { ServerContext } from '../../state/server-context.ts'

/** Maximum number of runs that a request reads, the newest first. */
const MAX_RUNS = 1000

/** Adds `/sessions`, which lists the client's conversations, and `/sessions/:id`, which returns the messages of one. */
export function addSessionRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/sessions', async context => {
    const runs = await server.store.runs({ scope: context.get('client').scope, limit: MAX_RUNS })
    const data = [...Map.groupBy(runs, run => run.sessionId)].map(([id, group]) => sessionOf(id, group))
    return context.json({ object: 'list', data })
  })

  app.get('/sessions/:id', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    const runs = await server.store.runs({ scope, sessionId: id, limit: MAX_RUNS })
    if (runs.length === 0) throw notFound('session')
    const turns = runs.filter(({ relation }) => relation !== 'compaction')
    const history = await Promise.all(turns.toReversed().map(run => turnOf(server, run)))
    return context.json({ ...sessionOf(id, runs), history })
  })
}

/** Summarizes a session. `runs` are sorted newest first. */
function sessionOf(id: string, runs: readonly RunRecord[]) {
  const [newest] = runs
  const oldest = runs.at(-1)
  return {
    id,
    object: 'session',
    agent: newest?.agent,
    status: newest?.status,
    runs: runs.length,
    created_at: toSeconds(oldest?.startedAt ?? 0),
    updated_at: toSeconds(newest?.updatedAt ?? 0),
  }
}

/** The messages that the user sent in a run, and its response. */
async function turnOf(server: ServerContext, { runId, sessionId, startedAt, status: state }: RunRecord) {
  const events = toRunEvents(runId, await server.store.read(runId))
  const input = events.flatMap(event => {
    if (!isEntryEvent(event) || event.type !== 'message.appended' || event.message.role !== 'user') return []
    const isFromUser = event.source === 'input' || event.source === 'steering' || event.source === 'follow-up'
    return isFromUser ? [{ role: 'user', type: 'message', content: event.message.content.map(toContent) }] : []
  })
  // The encoder ends a response at a suspension, so only a suspension that ends the journal stays in.
  const whole = events.filter((event, index) => event.type !== 'run.suspended' || index === events.length - 1)
  const stream = agentApiStream(iterate(whole), { sessionId, profile: server.profile })
  const { id, status, output, error, usage } = await readAgentStream(stream).response()
  const turn = { id, status, created_at: toSeconds(startedAt), input, output: output ?? [], error, usage }
  // The encoder ends the response of an unfinished journal as failed, because its events stop.
  return state === 'running' ? { ...turn, status: 'in_progress', error: null } : turn
}

function toContent(part: UserPart) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { type, value } = fileContent(part)
  return { type, ...value }
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

async function* iterate(events: readonly RunEvent[]): AsyncGenerator<RunEvent, void> {
  yield* events
}

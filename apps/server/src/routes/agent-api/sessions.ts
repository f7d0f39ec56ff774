import { agentApiStream, fileContent, readAgentStream, toRunEvents } from '@parley/agent-api'
import { isEntryEvent, type RunEvent, type RunRecord, type UserPart } from '@parley/core'
import type { Hono } from 'hono'
import { notFound } from '../../problem/problem.ts'
import type { ServerContext } from '../../state/server-context.ts'
import type { ServerEnv } from '../../access/server-env.ts'

/** What is looked at, the newest. */
const MOST_RUNS = 1000

/** `/sessions`: the client's conversations, and what was said in one. */
export function addSessionRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/sessions', async context => {
    const runs = await server.store.runs({ scope: context.get('client').scope, limit: MOST_RUNS })
    const data = [...Map.groupBy(runs, run => run.sessionId)].map(([id, of]) => sessionOf(id, of))
    return context.json({ object: 'list', data })
  })

  app.get('/sessions/:id', async context => {
    const { scope } = context.get('client')
    const id = context.req.param('id')
    const runs = await server.store.runs({ scope, sessionId: id, limit: MOST_RUNS })
    if (runs.length === 0) throw notFound('session')
    const said = runs.filter(({ relation }) => relation !== 'compaction')
    const history = await Promise.all(said.toReversed().map(run => turnOf(server, run)))
    return context.json({ ...sessionOf(id, runs), history })
  })
}

/** `runs` newest first. */
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

/** What the user sent in a run, and what came of it. */
async function turnOf(server: ServerContext, { runId, sessionId, startedAt }: RunRecord) {
  const events = toRunEvents(runId, await server.store.read(runId))
  const input = events.flatMap(event => {
    if (!isEntryEvent(event) || event.type !== 'message.appended' || event.message.role !== 'user') return []
    const isTheirs = event.source === 'input' || event.source === 'steering' || event.source === 'follow-up'
    return isTheirs ? [{ role: 'user', type: 'message', content: event.message.content.map(toContent) }] : []
  })
  // A run that waited shows everything it did, not only what was said before.
  const whole = events.filter((event, index) => event.type !== 'run.suspended' || index === events.length - 1)
  const stream = agentApiStream(listed(whole), { sessionId, profile: server.profile })
  const { id, status, output, error, usage } = await readAgentStream(stream).response()
  return { id, status, created_at: toSeconds(startedAt), input, output: output ?? [], error, usage }
}

function toContent(part: UserPart) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { type, value } = fileContent(part)
  return { type, ...value }
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000)
}

async function* listed(events: readonly RunEvent[]): AsyncGenerator<RunEvent, void> {
  yield* events
}

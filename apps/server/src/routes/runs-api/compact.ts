import { summarize } from '@parley/context-policies'
import { defineAgent } from '@parley/engine'
import type { StartedRun } from '@parley/runs-api'
import { notFound } from '../../problem/problem.ts'
import { beginRun } from './begin-run.ts'
import { defineRunsRoute, recordOf } from './runs-route.ts'
import { compactSchema } from './verb-schemas.ts'

/** Summarizes a session with the model of its agent, whatever the agent does with its context otherwise. */
export const COMPACT_ROUTE = defineRunsRoute({
  method: 'post',
  path: '/runs/{id}/compact',
  access: 'operator',
  summary: 'Let the model summarize the session of a run, except its newest turns.',
  body: compactSchema,
  answer: 'StartedRun',
  status: 201,
  handle: async (request): Promise<StartedRun> => {
    const { sessionId, scope, agent: name } = await recordOf(request)
    const { server, body } = request
    if (!server.agents.names.includes(name)) throw notFound('agent')
    const { keep, focus } = body
    const agent = defineAgent({ ...server.agents.get(name), context: summarize({ keepRecentTurns: keep, focus }) })
    return beginRun(request, given => server.runtime.compact(sessionId, { agent, scope, ...given }))
  },
})

import type { RunState } from '@parley/runs-api'
import { decideRun } from '../../runs/decide-run.ts'
import { defineRunsRoute, recordOf } from './runs-route.ts'
import { submitSchema } from './verb-schemas.ts'

/** Takes the result of a tool call that waits for the client. */
export const SUBMIT_ROUTE = defineRunsRoute({
  method: 'post',
  path: '/runs/{id}/results',
  access: 'operator',
  summary: 'Submit the result of a tool call that waits for the client.',
  body: submitSchema,
  answer: 'RunState',
  handle: async (request): Promise<RunState> => {
    const { runId } = await recordOf(request)
    const { server, client, body } = request
    const { callId, output, isError = false } = body
    const { run } = await decideRun(server, { client, runId, decisions: [], results: [{ callId, output, isError }] })
    const record = await server.store.run(run.runId)
    return { runId: run.runId, status: record?.status ?? 'running' }
  },
})

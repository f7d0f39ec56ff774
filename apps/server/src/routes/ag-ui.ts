import { createAgUiEncoder, parseAgUiRequest } from '@parley/encoders/ag-ui'
import type { Hono } from 'hono'
import { answerRun } from './answer-run.ts'
import { checkId } from '../limits/check-id.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import { readJson } from '../limits/read-json.ts'
import type { ServerContext } from '../state/server-context.ts'
import type { ServerEnv } from '../access/server-env.ts'

/** `POST /ag-ui` and `/ag-ui/:agent`: AG-UI. */
export function addAgUiRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/ag-ui/:agent?', async context => {
    const wanted = parseAgUiRequest(await readJson(context, server.limits))
    const { sessionId: threadId, runId } = wanted
    checkId('threadId', threadId)
    const encoder = createAgUiEncoder({ threadId, runId, describe })
    const how = { client: context.get('client'), wanted: { ...wanted, model: context.req.param('agent') } }
    return serveProtocol(server, how, ({ watch }) => answerRun(context, server, { run: watch(), encoder }))
  })
}

import { createAgUiEncoder, parseAgUiRequest } from '@parley/encoders/ag-ui'
import type { Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { checkId } from '../limits/check-id.ts'
import { readJson } from '../limits/read-json.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import type { ServerContext } from '../state/server-context.ts'
import { answerRun } from './answer-run.ts'

/** Adds the AG-UI routes: `POST /ag-ui` and `POST /ag-ui/:agent`. */
export function addAgUiRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/ag-ui/:agent?', async context => {
    const parsed = parseAgUiRequest(await readJson(context, server.limits))
    const { sessionId: threadId, runId } = parsed
    checkId('threadId', threadId)
    const encoder = createAgUiEncoder({ threadId, runId, describe })
    const request = { client: context.get('client'), parsed: { ...parsed, model: context.req.param('agent') } }
    return serveProtocol(server, request, ({ watch }) => answerRun(context, server, { run: watch(), encoder }))
  })
}

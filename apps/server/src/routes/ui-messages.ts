import { createUiMessageEncoder, parseUiMessageRequest, UI_MESSAGE_HEADERS } from '@parley/encoders/ai-sdk-ui'
import type { Hono } from 'hono'
import { answerRun } from './answer-run.ts'
import { checkId } from '../limits/check-id.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import { readJson } from '../limits/read-json.ts'
import type { ServerContext } from '../state/server-context.ts'
import type { ServerEnv } from '../access/server-env.ts'

/** `POST /api/chat` and `/api/chat/:agent`: AI SDK UI message streams, where its chats ask by default. */
export function addUiMessagesRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/api/chat/:agent?', async context => {
    const wanted = parseUiMessageRequest(await readJson(context, server.limits))
    checkId('id', wanted.sessionId)
    const encoder = createUiMessageEncoder({ messageId: wanted.messageId, describe })
    const how = { client: context.get('client'), wanted: { ...wanted, model: context.req.param('agent') } }
    return serveProtocol(server, how, ({ watch }) =>
      answerRun(context, server, { run: watch(), encoder, headers: UI_MESSAGE_HEADERS, last: '[DONE]' }),
    )
  })
}

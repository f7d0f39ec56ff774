import { createUiMessageEncoder, parseUiMessageRequest, UI_MESSAGE_HEADERS } from '@parley/encoders/ai-sdk-ui'
import type { Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { checkId } from '../limits/check-id.ts'
import { readJson } from '../limits/read-json.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import type { ServerContext } from '../state/server-context.ts'
import { answerRun } from './answer-run.ts'

/** Adds the AI SDK UI routes: `POST /api/chat`, the default address of its chats, and `POST /api/chat/:agent`. */
export function addUiMessagesRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/api/chat/:agent?', async context => {
    const parsed = parseUiMessageRequest(await readJson(context, server.limits))
    checkId('id', parsed.sessionId)
    const encoder = createUiMessageEncoder({ messageId: parsed.messageId, describe })
    const request = { client: context.get('client'), parsed: { ...parsed, model: context.req.param('agent') } }
    return serveProtocol(server, request, ({ watch }) =>
      answerRun(context, server, { run: watch(), encoder, headers: UI_MESSAGE_HEADERS, last: '[DONE]' }),
    )
  })
}

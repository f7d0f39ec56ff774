import { createUiMessageEncoder, parseUiMessageRequest, UI_MESSAGE_HEADERS } from '@parley/encoders/ai-sdk-ui'
import type { Context, Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { checkId } from '../limits/check-id.ts'
import { termsOf } from '../runs/begin-once.ts'
import { chatMessages } from '../runs/chat-messages.ts'
import { checkAgent } from '../runs/find-agent.ts'
import { findUnfinished } from '../runs/find-unfinished.ts'
import { readAttempt } from '../runs/read-attempt.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import type { ServerContext } from '../state/server-context.ts'
import { answerRun } from './answer-run.ts'

/**
 * Adds the AI SDK UI routes: `POST /api/chat`, the default address of its chats, `POST /api/chat/:agent`,
 * `GET /api/chat/:id/stream`, from which a chat reads the answer that is being written; 204 if there is none, and
 * `GET /api/chat/:id/messages`, with which a page that is loaded again begins. A chat appends `/:id/stream` to its address, so
 * both reading routes also exist below `/api/chat/:agent`.
 */
export function addUiMessagesRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  const cutEvent = ({ message: errorText }: { readonly message: string }) => ({ type: 'error', errorText })

  app.post('/api/chat/:agent?', async context => {
    const agent = context.req.param('agent')
    if (agent !== undefined) checkAgent(server, agent)
    const { body, attempt } = await readAttempt(context, server)
    const parsed = parseUiMessageRequest(body)
    checkId('id', parsed.sessionId)
    const terms = termsOf(server, 'ai-sdk-ui', { client: context.get('client'), attempt, stream: true })
    const { inputId: messageId, replaces } = parsed
    checkId('messages.id', messageId)
    const request = { terms, parsed: { ...parsed, model: agent }, messageId, replaces }
    return serveProtocol(server, request, run => {
      const encoder = createUiMessageEncoder({ messageId: parsed.messageId, describe, prior: run.prior })
      return answerRun(context, server, {
        run,
        attempt,
        encoder,
        cutEvent,
        headers: UI_MESSAGE_HEADERS,
        last: '[DONE]',
      })
    })
  })

  const readStream = async (context: Context<ServerEnv>, id: string): Promise<Response> => {
    const { scope } = context.get('client')
    const run = await findUnfinished(server, { scope, sessionId: id })
    if (run === undefined) return context.body(null, 204)
    const encoder = createUiMessageEncoder({ describe, prior: run.prior })
    return answerRun(context, server, { run, encoder, cutEvent, headers: UI_MESSAGE_HEADERS, last: '[DONE]' })
  }
  const readMessages = async (context: Context<ServerEnv>, id: string): Promise<Response> => {
    const { scope } = context.get('client')
    return context.json(await chatMessages(server, { scope, sessionId: id }))
  }
  for (const [last, read] of [
    ['stream', readStream],
    ['messages', readMessages],
  ] as const) {
    app.get(`/api/chat/:id/${last}`, context => read(context, context.req.param('id')))
    app.get(`/api/chat/:agent/:id/${last}`, context => {
      checkAgent(server, context.req.param('agent'))
      return read(context, context.req.param('id'))
    })
  }
}

import { collectRun } from '@parley/encoders'
import { createChatEncoder, parseChatRequest, toChatCompletion } from '@parley/encoders/openai-chat'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { readJson } from '../../limits/read-json.ts'
import { describe, serveProtocol } from '../../runs/serve-protocol.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerRun } from '../answer-run.ts'

/** Adds `POST /v1/chat/completions`. */
export function addChatCompletionsRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/v1/chat/completions', async context => {
    const parsed = parseChatRequest(await readJson(context, server.limits))
    const { name: model } = server.agents.get(parsed.model)
    const encoder = createChatEncoder({ model, describe, includeUsage: parsed.includeUsage || !parsed.stream })
    const request = { client: context.get('client'), parsed }
    if (parsed.stream) {
      return serveProtocol(server, request, ({ watch }) =>
        answerRun(context, server, { run: watch(), encoder, last: '[DONE]' }),
      )
    }
    const chunks = await serveProtocol(server, request, ({ watch }) => collectRun(watch(), encoder))
    const completion = toChatCompletion(chunks)
    return context.json(completion, 'error' in completion ? 502 : 200)
  })
}

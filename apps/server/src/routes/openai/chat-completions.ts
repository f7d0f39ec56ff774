import { collectRun } from '@parley/encoders'
import { createChatEncoder, parseChatRequest, toChatCompletion } from '@parley/encoders/openai-chat'
import type { Hono } from 'hono'
import { answerRun } from '../answer-run.ts'
import { describe, serveProtocol } from '../../runs/serve-protocol.ts'
import { readJson } from '../../limits/read-json.ts'
import type { ServerContext } from '../../state/server-context.ts'
import type { ServerEnv } from '../../access/server-env.ts'

/** `POST /v1/chat/completions`. */
export function addChatCompletionsRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/v1/chat/completions', async context => {
    const wanted = parseChatRequest(await readJson(context, server.limits))
    const { name: model } = server.agents.get(wanted.model)
    const encoder = createChatEncoder({ model, describe, includeUsage: wanted.includeUsage || !wanted.stream })
    const how = { client: context.get('client'), wanted }
    if (wanted.stream) {
      return serveProtocol(server, how, ({ watch }) =>
        answerRun(context, server, { run: watch(), encoder, last: '[DONE]' }),
      )
    }
    const chunks = await serveProtocol(server, how, ({ watch }) => collectRun(watch(), encoder))
    const completion = toChatCompletion(chunks)
    return context.json(completion, 'error' in completion ? 502 : 200)
  })
}

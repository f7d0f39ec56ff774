import { createAgUiEncoder, parseAgUiRequest } from '@parley/encoders/ag-ui'
import type { Hono } from 'hono'
import type { ServerEnv } from '../access/client.ts'
import { checkId } from '../limits/check-id.ts'
import { termsOf } from '../runs/begin-once.ts'
import { checkAgent } from '../runs/find-agent.ts'
import { readAttempt } from '../runs/read-attempt.ts'
import { describe, serveProtocol } from '../runs/serve-protocol.ts'
import type { ServerContext } from '../state/server-context.ts'
import { answerRun } from './answer-run.ts'

/** Adds the AG-UI routes: `POST /ag-ui` and `POST /ag-ui/:agent`. */
export function addAgUiRoute(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post('/ag-ui/:agent?', async context => {
    const agent = context.req.param('agent')
    if (agent !== undefined) checkAgent(server, agent)
    const { body, attempt } = await readAttempt(context, server)
    const parsed = parseAgUiRequest(body)
    const { sessionId: threadId, runId, inputId: messageId, shownIds } = parsed
    checkId('threadId', threadId)
    checkId('messages.id', messageId)
    const terms = termsOf(server, 'ag-ui', { client: context.get('client'), attempt, stream: true })
    // A client has no other way to ask for another answer than to send the message again.
    const replaces = messageId !== undefined
    const request = { terms, parsed: { ...parsed, model: agent }, messageId, replaces, shownIds }
    return serveProtocol(server, request, run => {
      const encoder = createAgUiEncoder({ threadId, runId, describe, prior: run.prior })
      return answerRun(context, server, { run, attempt, encoder, cutEvent: error => ({ type: 'RUN_ERROR', ...error }) })
    })
  })
}

import { ParleyError } from '@parley/core'
import type { Hono } from 'hono'
import type { ServerEnv } from '../../access/client.ts'
import { readJson } from '../../limits/read-json.ts'
import { serveAgentDecision } from '../../responses/serve-agent-response.ts'
import { findRun } from '../../runs/find-run.ts'
import type { ServerContext } from '../../state/server-context.ts'
import { answerAgentResponse } from './answer-agent-response.ts'
import { decisionOf, decisionSchema } from './decision-schema.ts'

/** Adds `/process/:id/approvals`, which lists the pending approvals of a run and accepts decisions about them. */
export function addApprovalRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/process/:id/approvals', async context => {
    const { scope } = context.get('client')
    const { record } = await findRun(server, scope, context.req.param('id'))
    const { approvals } = await server.runtime.pending(record.runId, { scope })
    return context.json({ object: 'list', data: approvals })
  })

  app.post('/process/:id/approvals/:approvalId', async context => {
    const client = context.get('client')
    const parsed = decisionSchema.safeParse(await readJson(context, server.limits))
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const path = issue?.path.join('.') || 'the body'
      throw new ParleyError({ code: 'request-invalid', path, detail: issue?.message ?? 'is invalid' })
    }
    const { stream, background } = parsed.data
    const { record } = await findRun(server, client.scope, context.req.param('id'))
    const approvalId = context.req.param('approvalId')
    const decisions = [{ approvalId, decision: decisionOf(parsed.data) }]
    const response = await serveAgentDecision(server, { client, runId: record.runId, decisions })
    return answerAgentResponse(context, server, { response, stream, background })
  })
}

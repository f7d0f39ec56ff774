import { ParleyError } from '@parley/core'
import { loadRun } from '@parley/engine'
import type { Hono } from 'hono'
import { answerResponse } from '../answer-response.ts'
import { decisionOf, decisionSchema } from './decision-schema.ts'
import { decideRun } from '../../runs/decide-run.ts'
import { findRun } from '../../runs/find-run.ts'
import { readJson } from '../../limits/read-json.ts'
import type { ServerContext } from '../../state/server-context.ts'
import type { ServerEnv } from '../../access/server-env.ts'

/** `/process/:id/approvals`: what a run waits for, and decisions about it. */
export function addApprovalRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.get('/process/:id/approvals', async context => {
    const { record } = await findRun(server, context.get('client').scope, context.req.param('id'))
    const { calls = [] } = await loadRun(server.store, record.runId)
    const waiting = calls.flatMap(({ approval }) =>
      approval === undefined || approval.decision !== undefined ? [] : [approval.request],
    )
    return context.json({ object: 'list', data: waiting })
  })

  app.post('/process/:id/approvals/:approvalId', async context => {
    const client = context.get('client')
    const parsed = decisionSchema.safeParse(await readJson(context, server.limits))
    if (!parsed.success) {
      const issue = parsed.error.issues[0]
      const path = issue?.path.join('.') || 'the body'
      throw new ParleyError({ code: 'request-invalid', path, detail: issue?.message ?? 'does not fit' })
    }
    const { stream, background } = parsed.data
    const { record } = await findRun(server, client.scope, context.req.param('id'))
    const approvalId = context.req.param('approvalId')
    const decisions = [{ approvalId, decision: decisionOf(parsed.data) }]
    const response = await decideRun(server, { client, runId: record.runId, decisions })
    return answerResponse(context, server, { response, stream, background })
  })
}

import type { RunRecord, Store } from '@parley/core'
import type { PendingApproval } from '@parley/engine'
import type { ApprovalItem, ApprovalList, RunState } from '@parley/runs-api'
import { hasAccess } from '../../access/runs-access.ts'
import { ParleyError } from '@parley/core'
import { decideRun } from '../../runs/decide-run.ts'
import { defineRunsRoute, type RunsRequest } from './runs-route.ts'
import { decideSchema } from './verb-schemas.ts'

/** The pending approvals of a scope, and decisions about them. */
export const APPROVAL_ROUTES = [
  defineRunsRoute({
    method: 'get',
    path: '/approvals',
    access: 'viewer',
    summary: 'List pending approvals, those of the newest runs first.',
    query: { sessionId: 'string', runId: 'string', role: 'string' },
    answer: 'ApprovalList',
    handle: listApprovals,
  }),
  defineRunsRoute({
    method: 'post',
    path: '/approvals/{id}',
    access: 'operator',
    summary: 'Decide a pending approval: approve, reject, modify the input or escalate.',
    body: decideSchema,
    answer: 'RunState',
    handle: async (request): Promise<RunState> => {
      const { server, client, body, param } = request
      const approvalId = param('id')
      const runId = body.runId ?? (await runOf(request, approvalId))
      const { run } = await decideRun(server, { client, runId, decisions: [{ approvalId, decision: body.decision }] })
      const record = await server.store.run(run.runId)
      return { runId: run.runId, status: record?.status ?? 'running' }
    },
  }),
]

async function listApprovals(request: RunsRequest): Promise<ApprovalList> {
  const { server, client, query } = request
  const { runtime, store } = server
  const [sessionId, runId, role] = ['sessionId', 'runId', 'role'].map(query)
  const found = await runtime.approvals({ scope: client.scope, sessionId, runId, role })
  const runs = new Map<string, Promise<AskingRun | undefined>>()
  const askingRun = (id: string): Promise<AskingRun | undefined> => {
    const known = runs.get(id) ?? readRun(store, id)
    runs.set(id, known)
    return known
  }
  const items = await Promise.all(found.map(async each => toItem(each, await askingRun(each.runId), client)))
  // A run that was removed since asks for nothing.
  return { approvals: items.filter(item => item !== undefined) }
}

/** A run that asks for approvals. */
interface AskingRun {
  readonly record: RunRecord
  /** When each approval was requested. */
  readonly times: ReadonlyMap<string, number>
}

async function readRun(store: Store, runId: string): Promise<AskingRun | undefined> {
  const [record, entries] = await Promise.all([store.run(runId), store.read(runId)])
  if (record === undefined) return undefined
  const times = new Map<string, number>()
  for (const entry of entries) if (entry.type === 'approval.requested') times.set(entry.request.approvalId, entry.at)
  return { record, times }
}

function toItem(
  approval: PendingApproval,
  run: AskingRun | undefined,
  { access, principal }: RunsRequest['client'],
): ApprovalItem | undefined {
  if (run === undefined) return undefined
  const { agent, sessionId, preview } = run.record
  const { roles } = approval
  const hasRole = roles === undefined || roles.some(role => principal?.roles.includes(role))
  return {
    ...approval,
    agent,
    sessionId,
    preview,
    requestedAt: run.times.get(approval.approvalId),
    canDecide: hasRole && hasAccess(access, 'operator'),
  }
}

async function runOf({ server, client }: RunsRequest, approvalId: string): Promise<string> {
  const approvals = await server.runtime.approvals({ scope: client.scope })
  const found = approvals.find(approval => approval.approvalId === approvalId)
  if (found === undefined) throw new ParleyError({ code: 'approval-unknown', approvalId })
  return found.runId
}

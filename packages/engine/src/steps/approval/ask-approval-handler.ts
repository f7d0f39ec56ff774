import { toErrorInfo, describeError, type ApprovalDecision, type ApprovalRequest } from '@parley/core'
import type { PendingRequest } from '../../journal/pending-request.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { findRequest, recordDecision } from '../../run-context/requests/check-decision.ts'

/**
 * Asks the agent's approval handler about the calls that need an approval, and records its decisions. A request that has
 * expired is recorded as timed out. A request without an answer stays open.
 * @returns Whether any request was answered.
 */
export async function askApprovalHandler(run: RunContext, requests: readonly PendingRequest[]): Promise<boolean> {
  const { handler } = run.approvals
  // The request is durable before the handler is asked.
  await run.journal.commit()
  const decisions = await Promise.all(
    requests.map(async request => {
      const expired = request.expiresAt !== undefined && run.runtime.clock.now() >= request.expiresAt
      if (expired) return { request, decision: { type: 'timed-out' as const } }
      if (handler === undefined || request.client) return undefined
      return { request, decision: limitEscalation(run, request, await askHandler(run, request)) }
    }),
  )
  for (const entry of decisions) {
    if (entry?.decision === undefined) continue
    const { request, decision } = entry
    if (findRequest(run.state, request.approvalId) === undefined) continue
    recordDecision(run, { approvalId: request.approvalId, decision })
  }
  const isDecided = ({ approvalId }: ApprovalRequest): boolean => findRequest(run.state, approvalId) === undefined
  return requests.some(isDecided) || run.stopper.stopped
}

/**
 * Returns the handler's decision, unless it escalates the request to roles that were asked before: such a handler would
 * be asked without end. Then the request stays open for other approvers, or is rejected if the run cannot be suspended.
 */
function limitEscalation(
  run: RunContext,
  { callId, roles }: ApprovalRequest,
  decision: ApprovalDecision | undefined,
): ApprovalDecision | undefined {
  if (decision?.type !== 'escalated' || 'agent' in decision) return decision
  const { asked } = run.approvals
  asked.add(JSON.stringify([callId, roles]))
  if (!asked.has(JSON.stringify([callId, decision.roles]))) return decision
  return run.approvals.canSuspend
    ? undefined
    : { type: 'rejected', reason: 'it was escalated to roles that were asked before' }
}

/** The handler's decision, or `timed-out`. `undefined` if the run was stopped or another approver decided first. */
function askHandler(run: RunContext, request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
  const { clock, facts, stopper } = run
  const { handler } = run.approvals
  return new Promise(resolve => {
    const controller = new AbortController()
    let callOff = (): void => {}
    const settle = (decision: ApprovalDecision | undefined, reason?: unknown): void => {
      callOff()
      stopper.offStop(onStop)
      leaveDecided()
      if (decision?.type === 'timed-out' || decision === undefined) controller.abort(reason)
      resolve(decision)
    }
    const leaveDecided = run.approvals.onDecided(approvalId => {
      if (approvalId === request.approvalId) settle(undefined, new Error('another approver has decided'))
    })
    const onStop = (reason: unknown): void => settle(undefined, reason)
    stopper.onStop(onStop)
    if (stopper.stopped) return
    if (request.expiresAt !== undefined) {
      const ms = request.expiresAt - run.runtime.clock.now()
      callOff = clock.after(ms, () =>
        settle({ type: 'timed-out' }, new DOMException('no approver decided in time', 'TimeoutError')),
      )
    }
    const answer = async (): Promise<ApprovalDecision | undefined> =>
      handler?.(request, { run: facts, signal: controller.signal })
    answer().then(
      decision => settle(decision),
      // A handler that throws has not approved.
      error => {
        // Clients and the model read the reason, so the words of the error stay out of it.
        run.emit({ type: 'middleware.failed', middleware: 'onApproval', detail: describeError(toErrorInfo(error)) })
        settle({ type: 'rejected', reason: 'the approval handler failed.' })
      },
    )
  })
}

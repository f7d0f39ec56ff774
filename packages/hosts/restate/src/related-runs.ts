import { describeError, type CancelReason } from '@parley/core'
import type { ChildOrder } from '@parley/engine/host'
import type { InvocationPromise, WorkflowContext } from '@restatedev/restate-sdk'
import type { RunOrder, RunReport, SentDecision } from './run-order.ts'
import { RUN_SERVICE, type RunHandlers } from './service-contract.ts'

const SERVICE = { name: RUN_SERVICE }

/** Starts the workflow of a child run. Resolves when the child run has ended. */
export function startChild(context: WorkflowContext, child: ChildOrder): InvocationPromise<RunReport> {
  return context.workflowClient<RunHandlers>(SERVICE, child.runId).run(child)
}

/** Cancels a child run because its parent run was cancelled for `reason`. */
export function cancelChild(context: WorkflowContext, runId: string, reason: CancelReason): void {
  sendCancel(context, runId, { kind: 'parent', detail: describeError({ code: 'cancelled', ...reason }) })
}

export function sendCancel(context: WorkflowContext, runId: string, reason: CancelReason): void {
  context.workflowSendClient<RunHandlers>(SERVICE, runId).cancel(reason)
}

/** Passes a decision on to the child run that waits for it. */
export function sendDecision(context: WorkflowContext, runId: string, sent: SentDecision): void {
  context.workflowSendClient<RunHandlers>(SERVICE, runId).decide(sent)
}

/** Tells the parent run that this run is suspended for approval. */
export function notifyParent(context: WorkflowContext, { parent }: RunOrder): void {
  if (parent === undefined) return
  const note = { kind: 'child-suspended', runId: context.key } as const
  context.workflowSendClient<RunHandlers>(SERVICE, parent.runId).send(note)
}

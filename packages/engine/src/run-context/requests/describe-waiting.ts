import type { Suspended } from '../run-result.ts'

/** Says what a suspended run waits for, and which calls continue it. */
export function describeWaiting({
  runId,
  approvals,
  clientCalls,
}: Pick<Suspended, 'approvals' | 'clientCalls'> & { readonly runId: string }): string {
  const sentences = [
    ...approvals.map(
      ({ name, approvalId }) =>
        `It waits for approval of '${name}': runtime.decide('${approvalId}', { decision: { type: 'approved' } }) continues it.`,
    ),
    ...clientCalls.map(
      ({ name, callId, execution }) =>
        `It waits for the result of '${name}'${execution === 'client' ? ' from the client' : ''}: runtime.submitToolResult('${runId}', '${callId}', result) continues it.`,
    ),
  ]
  if (sentences.length > 0) return sentences.join(' ')
  return `It was suspended when its runtime closed: runtime.resume('${runId}') continues it.`
}

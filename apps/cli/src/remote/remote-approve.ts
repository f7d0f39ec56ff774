import type { AgentDecision } from '@parley/agent-api'
import { ParleyError } from '@parley/core'
import { converse } from './converse.ts'
import type { RemoteOptions } from './remote-options.ts'

/** Decides about the first pending call of a response on a server, and shows how it continues. */
export async function remoteApprove(
  responseId: string,
  decision: AgentDecision,
  options: RemoteOptions,
): Promise<number> {
  const [approval] = await options.client.approvals(responseId)
  if (approval === undefined) throw new ParleyError({ code: 'approval-unknown', runId: responseId, approvalId: 'any' })
  const stream = await options.client.decide(responseId, approval.approvalId, { decision })
  return (await converse(stream, options)).exitCode
}

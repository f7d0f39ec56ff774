import type { ApprovalDecision, ApprovalRequest } from '@parley/core'
import type { ResponseBuilder } from '../builder/response-builder.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { ToolOutput, ToolOutputOptions } from './tool-output.ts'

/** Sends the approval requests of a run and the decisions on them. */
export class ApprovalOutput {
  readonly #response: ResponseBuilder
  readonly #tools: ToolOutput
  readonly #options: ToolOutputOptions
  /** Approvals that this stream has asked for. */
  readonly #asked = new Set<string>()

  constructor(response: ResponseBuilder, tools: ToolOutput, options: ToolOutputOptions) {
    this.#response = response
    this.#tools = tools
    this.#options = options
  }

  /** Sends an approval request. `agent` is sent as the server of a tool that has no server. */
  asked({ approvalId, callId, name, input, prompt }: ApprovalRequest, agent: string): readonly AgentEvent[] {
    if (this.#asked.has(approvalId)) return []
    this.#asked.add(approvalId)
    const shown = this.#tools.ensureShown(callId, name, input)
    const mcp = this.#options.mcpTool(name)
    const id = `${this.#options.idPrefix}_${approvalId}`
    const message = this.#response.createMessageBuilder({ id, messageType: 'mcp_approval_request' })
    const data = {
      id: approvalId,
      name: mcp?.tool ?? name,
      arguments: JSON.stringify(input),
      server_label: mcp?.server ?? agent,
      call_id: callId,
      prompt,
    }
    return [...shown, ...message.addContent('data', { data }), ...message.complete()]
  }

  /** Sends a decision. An escalation to other approvers sends nothing: the request is asked again. */
  decided(approvalId: string, decision: ApprovalDecision): readonly AgentEvent[] {
    if (decision.type === 'escalated' && !('agent' in decision)) return []
    const id = `${this.#options.idPrefix}_${approvalId}_answer`
    const message = this.#response.createMessageBuilder({ id, messageType: 'mcp_approval_response', role: 'user' })
    const reason = reasonOf(decision)
    const data = {
      id: approvalId,
      approval_request_id: approvalId,
      approve: decision.type === 'approved' || decision.type === 'modified',
      reason,
      ...(decision.type === 'modified' ? { arguments: JSON.stringify(decision.input) } : {}),
    }
    return [...message.addContent('data', { data }), ...message.complete()]
  }
}

/** The reason why a call was not approved. */
function reasonOf(decision: ApprovalDecision): string | null {
  switch (decision.type) {
    case 'rejected':
      return decision.reason
    case 'timed-out':
      return 'timed out'
    case 'escalated':
      return 'agent' in decision ? `escalated to ${decision.agent}` : null
    case 'approved':
    case 'modified':
      return null
  }
}

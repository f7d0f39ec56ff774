import { describeError, toolError, toolOk, type ErrorInfo, type Json, type ToolOutcome } from '@parley/core'
import type { McpAgentResult } from './mcp-agent-host.ts'

export interface AgentRunFacts {
  readonly agent: string
  readonly runId: string
}

/** Turns the result of a run into the result of the tool call. */
export function toAgentOutcome(result: McpAgentResult, facts: AgentRunFacts): ToolOutcome {
  const { agent, runId } = facts
  const { text } = result
  switch (result.status) {
    case 'completed': {
      const { output, finish } = result
      // The result is sent as JSON, so values that JSON cannot hold are dropped here.
      if (output !== undefined) return toolOk(JSON.stringify(output), JSON.parse(JSON.stringify(output)) as Json)
      if (text.trim() === '') return toolOk(`The agent '${agent}' finished without a text answer.`)
      return toolOk(finish === 'stop' ? text : `${text}\n[The answer ended early: ${finish}]`)
    }
    case 'suspended': {
      const prompts = result.approvals.map(({ prompt }) => ` ${prompt}`).join('')
      return toolError(`The agent '${agent}' is suspended for approval, in run ${runId}.${prompts}`)
    }
    case 'interrupted':
      return toolError(`Run ${runId} of the agent '${agent}' was released: ${describeError(result.error)}`)
    case 'limit':
      return failed(result.status, describeError({ code: 'limit-reached', ...result.hit }), { ...facts, text })
    case 'cancelled':
      return failed(result.status, describeError({ code: 'cancelled', ...result.reason }), { ...facts, text })
    case 'rejected': {
      const { filter, reason } = result
      return failed(result.status, describeError({ code: 'input-rejected', filter, reason }), { ...facts, text })
    }
    case 'failed':
      return failed(result.status, describeError(result.error), { ...facts, text })
  }
}

type Failure = Extract<ErrorInfo, { code: 'agent-failed' }>

function failed(
  status: Failure['status'],
  detail: string,
  { text, ...facts }: AgentRunFacts & { readonly text: string },
): ToolOutcome {
  const error: ErrorInfo = { code: 'agent-failed', ...facts, status, detail }
  const last = text.trim() === '' ? '' : `\nIts last text: ${text}`
  return toolError(`${describeError(error)}${last}`, { error })
}

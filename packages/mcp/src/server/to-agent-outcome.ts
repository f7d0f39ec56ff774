import {
  describeError,
  describePublicly,
  toolError,
  toolOk,
  type ErrorInfo,
  type Json,
  type ToolOutcome,
} from '@parley/core'
import type { McpAgentResult } from './mcp-agent-host.ts'

export interface AgentRunFacts {
  readonly agent: string
  readonly runId: string
}

/** Turns the result of a run into the result of the tool call. */
export function toAgentOutcome(result: McpAgentResult, facts: AgentRunFacts): ToolOutcome {
  const { agent, runId } = facts
  switch (result.status) {
    case 'completed': {
      const { output, finish, text } = result
      // The result is sent as JSON, so values that JSON cannot hold are dropped here.
      if (output !== undefined) return toolOk(JSON.stringify(output), JSON.parse(JSON.stringify(output)) as Json)
      if (text.trim() === '') return toolOk(`The agent '${agent}' finished without a text answer.`)
      return toolOk(finish === 'stop' ? text : `${text}\n[The answer ended early: ${finish}]`)
    }
    case 'suspended': {
      const { approvals, clientCalls = [] } = result
      const calls = clientCalls.map(({ name }) => name).join(', ')
      const prompts = approvals.map(({ prompt }) => ` ${prompt}`).join('')
      if (approvals.length === 0)
        return toolError(`The agent '${agent}' waits in run ${runId} for results of its client: ${calls}.`)
      return toolError(`The agent '${agent}' is suspended for approval, in run ${runId}.${prompts}`)
    }
    case 'interrupted':
      return toolError(`Run ${runId} of the agent '${agent}' was released: ${describePublicly(result.error)}`)
    case 'limit':
      return failed(result.status, { code: 'limit-reached', ...result.hit }, { ...facts, text: result.partialText })
    case 'cancelled':
      return failed(result.status, { code: 'cancelled', ...result.reason }, { ...facts, text: result.partialText })
    case 'rejected': {
      const { filter, reason } = result
      return failed(result.status, { code: 'input-rejected', filter, reason }, { ...facts, text: result.partialText })
    }
    case 'failed':
      return failed(result.status, result.error, { ...facts, text: result.partialText })
  }
}

type Failure = Extract<ErrorInfo, { code: 'run-failed' }>

function failed(
  status: Failure['status'],
  cause: ErrorInfo,
  { text, ...facts }: AgentRunFacts & { readonly text: string },
): ToolOutcome {
  const error: ErrorInfo = { code: 'run-failed', ...facts, status, detail: describeError(cause) }
  const last = text.trim() === '' ? '' : `\nIts last text: ${text}`
  // The client gets the public sentence. The data of the failure are for the owner.
  const words = `The agent '${facts.agent}' did not complete its task (${status}): ${describePublicly(cause)}`
  return toolError(`${words} Its run is '${facts.runId}'.${last}`, { error })
}

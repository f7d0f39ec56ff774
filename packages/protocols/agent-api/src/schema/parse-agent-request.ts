import { ParleyError } from '@parley/core'
import { agentRequestSchema, type AgentRequest } from './agent-request.ts'

/**
 * Reads the body of a request, already parsed from JSON.
 * @throws ParleyError `request-invalid` naming the first field that does not fit.
 */
export function parseAgentRequest(body: unknown): AgentRequest {
  const parsed = agentRequestSchema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const path = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  throw new ParleyError({ code: 'request-invalid', path, detail: issue?.message ?? 'does not fit' })
}

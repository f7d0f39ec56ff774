import { fileContent, type AgentRequestInput } from '@parley/agent-api'
import type { UserMessage } from '@parley/core'

export interface AgentRequestOptions {
  /** Name of the agent. @default the first agent of the server */
  readonly agent?: string | undefined
  /** Session to continue. @default a new session */
  readonly sessionId?: string | undefined
}

/** Turns a message of the user into a request to a server. */
export function toAgentRequest({ content }: UserMessage, { agent, sessionId }: AgentRequestOptions): AgentRequestInput {
  const parts = content.map(part => {
    if (part.type === 'text') return { type: 'text' as const, text: part.text }
    const { type, value } = fileContent(part)
    return { type, ...value }
  })
  return { input: [{ role: 'user', content: parts }], model: agent, session_id: sessionId }
}

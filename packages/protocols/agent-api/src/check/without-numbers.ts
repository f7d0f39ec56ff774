import type { AgentContent } from '../schema/agent-content.ts'
import type { AgentMessage } from '../schema/agent-message.ts'

/** Removes sequence numbers: they depend on where a value stands. */
export function withoutNumbers(value: AgentMessage | AgentContent): AgentMessage | AgentContent {
  if (value.object === 'content') return { ...value, sequence_number: null }
  const content = value.content?.map(part => ({ ...part, sequence_number: null })) ?? null
  return { ...value, sequence_number: null, content }
}

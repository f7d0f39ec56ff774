import type { AgentContent } from '../schema/agent-content.ts'
import type { AgentMessage } from '../schema/agent-message.ts'

/** Removes sequence numbers, because the same value has other numbers in another event. */
export function withoutNumbers(value: AgentMessage | AgentContent): AgentMessage | AgentContent {
  if (value.object === 'content') return { ...value, sequence_number: null }
  const content = value.content?.map(part => ({ ...part, sequence_number: null })) ?? null
  return { ...value, sequence_number: null, content }
}

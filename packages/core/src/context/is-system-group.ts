import type { MessageGroup } from '../hooks/context-view.ts'

/**
 * Returns whether the group is a system message of the conversation. The agent's instructions are not such a message.
 */
export function isSystemGroup({ messages }: MessageGroup): boolean {
  return messages[0]?.role === 'system'
}

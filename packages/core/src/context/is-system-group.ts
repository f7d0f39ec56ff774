import type { MessageGroup } from '../context-policy.ts'

/** Tells whether the group is a system message that was said in the middle of the conversation. */
export function isSystemGroup({ messages }: MessageGroup): boolean {
  return messages[0]?.role === 'system'
}

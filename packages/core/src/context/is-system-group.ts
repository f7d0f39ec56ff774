import type { MessageGroup } from '../hooks/context-view.ts'

/** Tells whether the group is a system message that was said in the middle of the conversation. */
export function isSystemGroup({ messages }: MessageGroup): boolean {
  return messages[0]?.role === 'system'
}

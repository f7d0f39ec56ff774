import type { Message, ToolMessage } from '@parley/core'
import type { ContextState, RunState } from './run-state.ts'
import { settleTranscript } from './settle-transcript.ts'

/** Where another run begins. */
export interface SettledTranscript {
  readonly messages: readonly Message[]
  readonly context: ContextState
}

/**
 * The transcript of a run up to any entry, as the start of another run, in which these results replace those of the same calls.
 * A result of an unknown call changes nothing.
 */
export function replaceResults(state: RunState, replaced: readonly ToolMessage[] = []): SettledTranscript {
  const settled = settleTranscript(state)
  const { context } = state
  if (replaced.length === 0) return { messages: settled, context }
  const messages = [...settled]
  let first = messages.length
  for (const message of replaced) {
    const index = positionOf(settled, message.callId)
    if (index === -1) continue
    messages[index] = message
    first = Math.min(first, index)
  }
  // A compacted view may contain the old result, also within a summary.
  const { overlay } = context
  const isCovered = overlay !== undefined && first < overlay.end
  return { messages, context: isCovered ? { ...context, overlay: undefined } : context }
}

/** Position of the newest result of a call. -1 if the transcript has none. */
export function positionOf(messages: readonly Message[], callId: string): number {
  return messages.findLastIndex(message => message.role === 'tool' && message.callId === callId)
}

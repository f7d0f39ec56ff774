import { addCost, addUsage, type EntryOf, type Message } from '@parley/core'
import type { RunState } from './run-state.ts'

/** Returns the messages that are sent to the model. */
export function viewOf({ transcript, context: { overlay } }: RunState): Message[] {
  if (overlay === undefined) return transcript.toArray()
  return overlay.messages.concat(transcript.slice(overlay.end))
}

/**
 * Returns the changes of the state after a compaction. After an overflow it clears the failure, so that the same turn's
 * call is made again.
 */
export function compacted(state: RunState, entry: EntryOf<'context.compacted'>): Partial<RunState> {
  const { transcript, context, failure, turn, edits } = state
  const { view: parts, after, trigger } = entry
  const messages = parts.flatMap(part =>
    part.type === 'written' ? part.messages : transcript.slice(part.from, part.to),
  )
  const overlay = { parts, messages, end: transcript.length }
  const again = trigger === 'overflow' && failure?.code === 'model-context-length'
  // A stop that interrupted a manual compaction leaves it to the resumed run.
  const made = trigger === 'manual' && entry.error?.code !== 'cancelled'
  return {
    context: { ...context, overlay, overflowTurn: again ? turn : context.overflowTurn },
    lastInput: { tokens: after.tokens ?? 0, length: transcript.length },
    ...(trigger === 'edit' ? { edits: edits.filter(({ callId }) => callId !== entry.callId) } : {}),
    usage: addUsage(state.usage, entry.usage),
    cost: addCost(state.cost, entry.cost),
    ...(made ? { compacted: true, failure: failure ?? entry.error } : {}),
    ...(again ? { failure: undefined, turn: turn - 1 } : {}),
  }
}

import { addCost, addUsage, totalTokens, type EntryOf, type Message } from '@parley/core'
import { addModelUsage } from './add-model-usage.ts'
import type { NextState, RunState } from './run-state.ts'

/** Returns the messages that are sent to the model. */
export function viewOf({ transcript, context: { overlay } }: RunState): Message[] {
  if (overlay === undefined) return transcript.toArray()
  return overlay.messages.concat(transcript.slice(overlay.end))
}

/** As `viewOf`, but the list may be that of the transcript: it must not be changed, and grows when messages are appended. */
export function borrowedView(state: RunState): readonly Message[] {
  return state.context.overlay === undefined ? state.transcript.borrow() : viewOf(state)
}

/**
 * Writes a compaction into the state. After an overflow it clears the failure, so that the same turn's call is made
 * again.
 */
export function foldCompaction(next: NextState, entry: EntryOf<'context.compacted'>): void {
  const { transcript, context, failure, turn } = next
  const { view: parts, after, trigger } = entry
  const messages = parts.flatMap(part =>
    part.type === 'written' ? part.messages : transcript.slice(part.from, part.to),
  )
  const overlay = { parts, messages, end: transcript.length }
  const again = trigger === 'overflow' && failure?.code === 'model-context-length'
  // A stop that interrupted a manual compaction leaves it to the resumed run.
  const made = trigger === 'manual' && entry.error?.code !== 'cancelled'
  next.context = { ...context, overlay, overflowTurn: again ? turn : context.overflowTurn }
  next.lastInput = { tokens: after.tokens ?? 0, length: transcript.length, size: transcript.size }
  if (trigger === 'edit') next.edits = next.edits.filter(({ callId }) => callId !== entry.callId)
  next.usage = addUsage(next.usage, entry.usage)
  next.cost = addCost(next.cost, entry.cost)
  if (totalTokens(entry.usage) > 0) {
    const { policy, usage, cost } = entry
    next.models = addModelUsage(next.models, { model: `context:${policy}`, calls: 1, usage, cost })
  }
  if (made) {
    next.compacted = true
    next.failure ??= entry.error
  }
  if (!again) return
  next.failure = undefined
  next.turn = turn - 1
}

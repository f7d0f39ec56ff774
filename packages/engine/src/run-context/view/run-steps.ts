import type { MessageGroup } from '@parley/core'
import type { RunState } from '../../journal/run-state.ts'
import { placeOf } from './group-messages.ts'

/** An answer of the current run with the results of its calls, if it is still sent. */
export interface RunStep {
  /** Number of the answer among the run's answers, from 1. */
  readonly step: number
  readonly group: MessageGroup
}

/**
 * Returns the steps that are still sent, oldest first. The newest step is left out, because the model has not read its
 * results yet.
 */
export function runSteps(
  groups: readonly MessageGroup[],
  { transcript, context }: Pick<RunState, 'transcript' | 'context'>,
): RunStep[] {
  const start = context.runStarts.at(-1) ?? 0
  const byPlace = new Map<number, number>()
  // A copy with shortened results has no position in the transcript, but its calls keep their ids.
  const byCall = new Map<string, number>()
  for (const [index, message] of transcript.slice(start).entries()) {
    if (message.role !== 'assistant') continue
    byPlace.set(start + index, byPlace.size + 1)
    for (const part of message.content) if (part.type === 'tool-call') byCall.set(part.callId, byPlace.size)
  }
  return groups.flatMap(group => {
    const [head] = group.messages
    if (head?.role !== 'assistant') return []
    const place = placeOf(group)
    const call = head.content.find(part => part.type === 'tool-call')
    const step = place === undefined ? byCall.get(call?.callId ?? '') : byPlace.get(place)
    return step === undefined || step === byPlace.size ? [] : [{ step, group }]
  })
}

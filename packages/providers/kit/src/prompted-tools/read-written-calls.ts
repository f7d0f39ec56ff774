import type { ModelEvent } from '@parley/core'
import { randomCallId } from '../provider/random-call-id.ts'
import { findWrittenCalls } from './find-written-calls.ts'

/** The possible beginning of a call, or of a code fence around it. */
const BEGINNING = /\{|`(?:$|`(?:$|`))/

/**
 * Replaces the tool calls that a model wrote in its text with tool-call events. Text is emitted as it arrives until the
 * first brace or code fence. The rest is held until the end of the answer, when it is known whether it contains calls.
 */
export async function* readWrittenCalls(
  events: AsyncIterable<ModelEvent>,
  createCallId: () => string = randomCallId,
): AsyncGenerator<ModelEvent, undefined> {
  let held = ''
  for await (const event of events) {
    if (event.type === 'text.delta') {
      const text = held + event.text
      const at = held === '' || held.length < 3 ? text.search(BEGINNING) : 0
      held = at === -1 ? '' : text.slice(at)
      if (at !== 0) yield { type: 'text.delta', text: at === -1 ? text : text.slice(0, at) }
    } else if (event.type === 'finish') {
      const { reason } = event
      const found = findWrittenCalls(held)
      yield* found === undefined ? toText(held) : [...toText(found.before), ...toText(found.after)]
      for (const call of found?.calls ?? []) yield { type: 'tool-call', callId: createCallId(), ...call }
      const asks = found !== undefined && (reason === 'stop' || reason === 'other')
      yield { type: 'finish', reason: asks ? 'tool-calls' : reason }
      return undefined
    } else if (event.type !== 'text.end' || held === '') yield event
  }
  yield* toText(held)
  return undefined
}

function toText(text: string): readonly ModelEvent[] {
  return text.trim() === '' ? [] : [{ type: 'text.delta', text }]
}

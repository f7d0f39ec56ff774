import type { ModelEvent } from '@parley/core'
import { mapJsonText } from '@parley/core/masking'
import { StreamMask } from './stream-mask.ts'
import type { TextMask } from './text-mask.ts'

/** Masks personal data in a streamed answer: text, reasoning and the arguments of tool calls. */
export async function* maskStream(events: AsyncIterable<ModelEvent>, mask: TextMask): AsyncGenerator<ModelEvent> {
  let open: { readonly type: 'text.delta' | 'reasoning.delta'; readonly stream: StreamMask } | undefined
  for await (const event of events) {
    if (event.type === 'retry' || event.type === 'usage') {
      yield event
      continue
    }
    if (open !== undefined && event.type !== open.type) {
      const text = open.stream.end()
      if (text !== '') yield { type: open.type, text }
      open = undefined
    }
    if (event.type === 'text.delta' || event.type === 'reasoning.delta') {
      open ??= { type: event.type, stream: new StreamMask(mask) }
      const text = open.stream.add(event.text)
      if (text !== '') yield { type: event.type, text }
    } else if (event.type === 'tool-call') {
      const masked = mapJsonText(event.arguments, text => mask.mask(text))
      // Replaces the streamed pieces of the arguments, which are dropped because they are not masked.
      yield { type: 'tool-call.delta', callId: event.callId, delta: masked }
      yield { ...event, arguments: masked }
    } else if (event.type !== 'tool-call.delta') yield event
  }
}

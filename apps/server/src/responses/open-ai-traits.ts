import type { EventTraits } from '@parley/agent-api'
import type { ResponsesEvent } from '@parley/encoders/openai-responses'

/** The field of the event that ends a text, by the type of its deltas without `.delta`. */
const TEXTS: Readonly<Record<string, string>> = {
  'response.output_text': 'text',
  'response.reasoning_summary_text': 'text',
  'response.mcp_call_arguments': 'arguments',
}

/** What an event log knows about events of the OpenAI Responses API. */
export const openAiTraits: EventTraits<ResponsesEvent> = {
  textOf(event) {
    const { type } = event
    const at = type.lastIndexOf('.')
    const field = TEXTS[type.slice(0, at)]
    if (field === undefined) return undefined
    const isWhole = type.slice(at) === '.done'
    return { id: event['item_id'] as string, text: event[isWhole ? field : 'delta'] as string, isWhole }
  },
  withText: (delta, number, text) => ({ ...delta, sequence_number: number, delta: text }),
  isRepeated: ({ type, response }) => response !== undefined || type.endsWith('.done'),
}

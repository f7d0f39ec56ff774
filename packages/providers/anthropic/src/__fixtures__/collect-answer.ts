import type { AssistantMessage, AssistantPart, ModelEvent } from '@parley/core'

/** Builds the message from its events, part by part. */
export function collectAnswer(events: readonly ModelEvent[]): AssistantMessage {
  const content: AssistantPart[] = []
  let text = ''
  for (const event of events) {
    if (event.type === 'text.delta' || event.type === 'reasoning.delta') text += event.text
    else if (event.type === 'text.end' || event.type === 'reasoning.end') {
      const { providerData } = event
      const type = event.type === 'text.end' ? 'text' : 'reasoning'
      content.push({ type, text, ...(providerData === undefined ? {} : { providerData }) })
      text = ''
    } else if (event.type === 'tool-call') content.push(event)
    else if (event.type === 'opaque') content.push(event)
  }
  return { role: 'assistant', content }
}

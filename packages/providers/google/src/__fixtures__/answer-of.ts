import type { AssistantMessage, AssistantPart, ModelEvent, ProviderData } from '@parley/core'

/** Builds the message from its events: a delta is appended to the open part of its kind. */
export function answerOf(events: readonly ModelEvent[]): AssistantMessage {
  const content: AssistantPart[] = []
  let open: { type: 'text' | 'reasoning'; text: string } | undefined
  const close = (data?: ProviderData): void => {
    if (open !== undefined) content.push({ ...open, ...(data === undefined ? {} : { providerData: data }) })
    open = undefined
  }
  const begin = (type: 'text' | 'reasoning'): void => {
    if (open?.type !== type) close()
    open ??= { type, text: '' }
  }
  for (const event of events) {
    if (event.type === 'text.delta' || event.type === 'reasoning.delta') {
      begin(event.type === 'text.delta' ? 'text' : 'reasoning')
      if (open !== undefined) open.text += event.text
    } else if (event.type === 'text.end' || event.type === 'reasoning.end') {
      begin(event.type === 'text.end' ? 'text' : 'reasoning')
      close(event.providerData)
    } else if (event.type === 'tool-call') {
      close()
      content.push(event)
    }
  }
  close()
  return { role: 'assistant', content }
}

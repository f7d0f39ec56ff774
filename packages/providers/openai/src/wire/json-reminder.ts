import type { ModelRequest } from '@parley/core'

const REMINDER = 'Answer in JSON.'

/**
 * Returns a text to add to a request for JSON without a schema. Servers reject such a request unless a message mentions
 * JSON. `undefined` if no text is needed.
 */
export function jsonReminder({ messages, settings }: ModelRequest, system: readonly string[] = []): string | undefined {
  if (settings.output !== 'json' || system.some(mentionsJson)) return undefined
  const isMentioned = messages.some(message => {
    if (message.role === 'system') return mentionsJson(message.content)
    return message.content.some(part => part.type === 'text' && mentionsJson(part.text))
  })
  return isMentioned ? undefined : REMINDER
}

function mentionsJson(text: string): boolean {
  return /json/i.test(text)
}

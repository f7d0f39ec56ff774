import type { ModelRequest } from '@parley/core'

const REMINDER = 'Answer in JSON.'

/** What must be said besides, where free JSON is asked for: servers refuse that unless some message speaks of JSON. */
export function jsonReminder({ messages, settings }: ModelRequest, system: readonly string[] = []): string | undefined {
  if (settings.output !== 'json' || system.some(speaksOfJson)) return undefined
  const isSaid = messages.some(message => {
    if (message.role === 'system') return speaksOfJson(message.content)
    return message.content.some(part => part.type === 'text' && speaksOfJson(part.text))
  })
  return isSaid ? undefined : REMINDER
}

function speaksOfJson(text: string): boolean {
  return /json/i.test(text)
}

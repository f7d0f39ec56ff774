import type { Message } from '@parley/core'

/** Returns the texts of all tool results. */
export function resultsIn(messages: readonly Message[]): string[] {
  return messages.flatMap(message =>
    message.role === 'tool' ? message.content.map(part => (part.type === 'text' ? part.text : part.mediaType)) : [],
  )
}

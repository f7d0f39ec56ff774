import { messageText, publicWords, type EntryOf, type ToolMessage } from '@parley/core'

/** Returns the result of a call as clients see it: `publicWords` replaces the words of a thrown error. */
export function publicResult({ message, error }: EntryOf<'tool.ended'>): ToolMessage {
  if (error === undefined) return message
  const text = messageText(message)
  const shown = publicWords(text, error)
  return shown === text ? message : { ...message, content: [{ type: 'text', text: shown }] }
}

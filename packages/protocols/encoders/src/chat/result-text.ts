import { messageText, type ToolMessage } from '@parley/core'

/** Returns the result of a tool call for protocols whose results are texts: a structured result becomes JSON. */
export function resultText(message: ToolMessage): string {
  return message.structured === undefined ? messageText(message) : JSON.stringify(message.structured)
}

import { messageText, type Message } from '@parley/core'

/** Text of the last answer; empty when there was none. */
export function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(message => message.role === 'assistant')
  return last === undefined ? '' : messageText(last)
}

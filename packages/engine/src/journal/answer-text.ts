import { messageText, type Message } from '@parley/core'

/**
 * Returns the text of the last answer; empty if there is none. If the model was asked to continue the answer, it
 * consists of several messages. `parts` is the largest number of messages before the last one.
 */
export function answerText(messages: readonly Message[], parts: number): string {
  const last = messages.findLastIndex(message => message.role === 'assistant')
  let text = ''
  for (let at = last, left = parts; at >= 0 && left >= 0; at -= 2, left--) {
    const message = messages[at]
    // Between two parts there is only the prompt that asks the model to continue.
    if (message?.role !== 'assistant' || (at < last && messages[at + 1]?.role !== 'user')) break
    text = messageText(message) + text
  }
  return text
}

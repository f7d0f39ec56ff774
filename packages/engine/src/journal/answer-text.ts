import { messageText, type Message } from '@parley/core'

/**
 * Text of the last answer; empty if there is none. An answer that the model was asked to continue consists of several
 * messages: at most `parts` before the last one.
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

import { messageText, type AssistantMessage, type Message, type TextPart, type ToolMessage } from '@parley/core'

/** Rewrites the tool calls and results of a transcript as text, so that a model without tools understands them. */
export function toPlainMessages(messages: readonly Message[]): readonly Message[] {
  const plain: Message[] = []
  let results: ToolMessage[] = []
  const flush = (): void => {
    if (results.length > 0) plain.push({ role: 'user', content: results.flatMap(toParts) })
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') results.push(message)
    else {
      flush()
      plain.push(message.role === 'assistant' ? withoutCalls(message) : message)
    }
  }
  flush()
  return plain
}

function withoutCalls(message: AssistantMessage): AssistantMessage {
  const calls = message.content.filter(part => part.type === 'tool-call')
  if (calls.length === 0) return message
  const written = { tool_calls: calls.map(({ name, arguments: text }) => ({ name, arguments: toJson(text) })) }
  const rest = message.content.filter(part => part.type !== 'tool-call')
  return { ...message, content: [...rest, { type: 'text', text: JSON.stringify(written) }] }
}

function toParts(message: ToolMessage): ToolMessage['content'] {
  const { name, isError, content } = message
  const head: TextPart = {
    type: 'text',
    text: `[${isError === true ? 'Error' : 'Result'} of ${name}]\n${messageText(message)}`,
  }
  return [head, ...content.filter(part => part.type !== 'text')]
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

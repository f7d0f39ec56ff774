import type { ToolCallPart } from '../schema/content.ts'
import type { AssistantMessage, Message, UserMessage } from '../schema/message.ts'

/** The message's text parts, joined. */
export function messageText(message: Message): string {
  if (message.role === 'system') return message.content
  let text = ''
  for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}

/** The message's tool calls, in the model's order. */
export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter(part => part.type === 'tool-call')
}

/** A user message of one text. */
export function userMessage(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

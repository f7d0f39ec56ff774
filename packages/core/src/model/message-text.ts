import type { ToolCallPart } from '../schema/content.ts'
import type { AssistantMessage, Message, UserMessage } from '../schema/message.ts'

/** Joins the text parts of a message. */
export function messageText(message: Message): string {
  if (message.role === 'system') return message.content
  let text = ''
  for (const part of message.content) if (part.type === 'text') text += part.text
  return text
}

/** Returns the tool calls of a message in the model's order. */
export function toolCallsOf(message: AssistantMessage): readonly ToolCallPart[] {
  return message.content.filter(part => part.type === 'tool-call')
}

/** Builds a user message with one text part. */
export function userMessage(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

import { messageText, toolCallsOf, type ModelRequest } from '@parley/core'

const CHARACTERS_PER_TOKEN = 4

/** Estimates the tokens of a call: the request's text, plus `maxOutputTokens` if it is set. */
export function estimateTokens({ system, messages, settings }: ModelRequest): number {
  let characters = 0
  for (const { text } of system) characters += text.length
  for (const message of messages) {
    characters += messageText(message).length
    if (message.role === 'assistant') for (const call of toolCallsOf(message)) characters += call.arguments.length
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN) + (settings.maxOutputTokens ?? 0)
}

import type { AssistantMessage, ToolCallPart } from '@parley/core'
import { encodeJson, isOwnReply, ownDataOf } from '@parley/provider-kit'
import type { Quirks } from '../quirks/quirks.ts'
import { toWireCallId } from '../wire/to-wire-call-id.ts'

export interface EncodeAssistantOptions {
  readonly provider: string
  /** Id of the model that is asked. */
  readonly model: string
  readonly quirks: Quirks
  /** Whether the message belongs to a tool loop that is still open: only there reasoning must go back. */
  readonly open: boolean
}

/** An assistant message as JSON text. Signatures of reasoning and of calls go back to the model alone that made them. */
export function encodeAssistant(message: AssistantMessage, options: EncodeAssistantOptions): string {
  const { provider, quirks, open } = options
  const isOwn = isOwnReply(message, options)
  let text = ''
  let reasoning = ''
  const details: unknown[] = []
  const calls: unknown[] = []
  for (const part of message.content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') {
      reasoning += part.text
      const own = isOwn ? ownDataOf(part, provider)['reasoning_details'] : undefined
      if (Array.isArray(own)) details.push(...own)
    } else if (part.type === 'tool-call') calls.push(toWireCall(part, options, isOwn))
  }
  const { reasoningField = 'none', emptyReasoning = false } = quirks
  const bearsReasoning = reasoning !== '' || (emptyReasoning && calls.length > 0)
  return encodeJson({
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(open && reasoningField !== 'none' && bearsReasoning ? { [reasoningField]: reasoning } : {}),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  })
}

/** The id a call bears on the wire. */
export function wireIdOf(part: ToolCallPart, provider: string, quirks: Quirks): string {
  const own = quirks.toolCallIds === 'own' ? ownDataOf(part, provider)['id'] : undefined
  return typeof own === 'string' ? own : toWireCallId(part.callId, quirks)
}

function toWireCall(part: ToolCallPart, { provider, quirks }: EncodeAssistantOptions, isOwn: boolean): unknown {
  const extra = isOwn ? ownDataOf(part, provider)['extra_content'] : undefined
  return {
    id: wireIdOf(part, provider, quirks),
    type: 'function',
    function: {
      name: part.name,
      arguments: quirks.brokenArguments === 'verbatim' ? part.arguments : toJsonObjectText(part.arguments),
    },
    ...(extra === undefined ? {} : { extra_content: extra }),
  }
}

/** Arguments of a past call: several servers parse them, and fail on the whole request when they are no object. */
export function toJsonObjectText(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // Wrapped below.
  }
  return JSON.stringify({ unparsed: text })
}

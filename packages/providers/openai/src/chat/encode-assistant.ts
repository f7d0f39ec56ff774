import type { AssistantMessage, Json, ToolCallPart } from '@parley/core'
import { encodeJson, isFields, isOwnReply, ownDataOf } from '@parley/provider-kit'
import { mergeExtraContent } from './merge-extra-content.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { toWireCallId } from '../wire/to-wire-call-id.ts'

export interface EncodeAssistantOptions {
  readonly provider: string
  /** Id of the requested model. */
  readonly model: string
  readonly quirks: Quirks
  /** Whether the message belongs to a tool loop in progress. Only there does its reasoning go back to the server. */
  readonly open: boolean
}

/** Encodes an assistant message as JSON text. Signatures of reasoning, calls and the message go back only to the model that wrote them. */
export function encodeAssistant(message: AssistantMessage, options: EncodeAssistantOptions): string {
  const { provider, quirks, open } = options
  const isOwn = isOwnReply(message, options)
  let text = ''
  let reasoning = ''
  const details: unknown[] = []
  const calls: unknown[] = []
  let extra: Json | undefined
  for (const part of message.content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') {
      reasoning += part.text
      const own = isOwn ? ownDataOf(part, provider)['reasoning_details'] : undefined
      if (Array.isArray(own)) details.push(...own)
    } else if (part.type === 'tool-call') calls.push(toWireCall(part, options, isOwn))
    else if (part.type === 'opaque' && isOwn)
      extra = mergeExtraContent(extra, ownDataOf(part, provider)['extra_content'])
  }
  const { reasoningField = 'none', emptyReasoning = false } = quirks
  const bearsReasoning = reasoning !== '' || (emptyReasoning && calls.length > 0)
  return encodeJson({
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(open && reasoningField !== 'none' && bearsReasoning ? { [reasoningField]: reasoning } : {}),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(extra === undefined ? {} : { extra_content: extra }),
  })
}

/** Returns the id that the request contains for a call. */
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

/** Returns the arguments of a past call as JSON object text, because some servers parse them and reject the request otherwise. */
export function toJsonObjectText(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return text
  } catch {
    // Wrapped below.
  }
  return JSON.stringify({ unparsed: text })
}

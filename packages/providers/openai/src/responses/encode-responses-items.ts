import type { AssistantMessage, FilePart, Message, TextPart, ToolMessage } from '@parley/core'
import { createRefuse, encodeJson, isOwnReply, ownDataOf } from '@parley/provider-kit'
import { toJsonObjectText } from '../chat/encode-assistant.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { toFilePart } from '../wire/to-file-part.ts'
import { toWireCallId } from '../wire/to-wire-call-id.ts'

export interface ResponsesItemsOptions {
  readonly provider: string
  /** Id of the requested model. */
  readonly model: string
  readonly quirks: Quirks
}

/**
 * Encodes one message as items of a Responses request: JSON texts joined by commas. The server stores no state, so items have
 * no ids. Reasoning goes back encrypted, only to the model that wrote it, and only before the item that followed it.
 * @param reply The assistant message before a tool message.
 */
export function encodeResponsesItems(
  message: Message,
  reply: AssistantMessage | undefined,
  options: ResponsesItemsOptions,
): string {
  const items = message.role === 'assistant' ? replyItems(message, options) : [inputItem(message, reply, options)]
  return items.map(item => encodeJson(item)).join(',')
}

function inputItem(
  message: Exclude<Message, AssistantMessage>,
  reply: AssistantMessage | undefined,
  options: ResponsesItemsOptions,
): unknown {
  if (message.role === 'system') return { role: 'system', content: message.content }
  if (message.role === 'user') return { role: 'user', content: toInputParts(message.content, options) }
  return resultItem(message, reply, options)
}

function resultItem(
  { callId, content }: ToolMessage,
  reply: AssistantMessage | undefined,
  options: ResponsesItemsOptions,
): unknown {
  const call = reply?.content.find(part => part.type === 'tool-call' && part.callId === callId)
  const isCustom = call !== undefined && 'providerData' in call && ownDataOf(call, options.provider)['custom'] === true
  const output = content.every(part => part.type === 'text')
    ? content.map(part => part.text).join('\n')
    : toInputParts(content, options)
  const type = isCustom ? 'custom_tool_call_output' : 'function_call_output'
  return { type, call_id: toWireCallId(callId, options.quirks), output }
}

function replyItems(message: AssistantMessage, options: ResponsesItemsOptions): unknown[] {
  const { provider, quirks } = options
  const isOwn = isOwnReply(message, options)
  const items: unknown[] = []
  let reasoning: unknown[] = []
  const push = (item: unknown): void => {
    items.push(...reasoning, item)
    reasoning = []
  }
  for (const part of message.content) {
    const own = part.type === 'opaque' ? {} : ownDataOf(part, provider)
    if (part.type === 'reasoning') {
      if (isOwn && own['reasoning'] !== undefined)
        reasoning.push({ type: 'reasoning', ...(own['reasoning'] as object) })
    } else if (part.type === 'text') {
      const phase = own['phase'] === undefined ? {} : { phase: own['phase'] }
      if (part.text !== '') push({ role: 'assistant', content: [{ type: 'output_text', text: part.text }], ...phase })
    } else if (part.type === 'tool-call') {
      const call = { call_id: toWireCallId(part.callId, quirks), name: part.name }
      if (own['custom'] === true) push({ type: 'custom_tool_call', ...call, input: textOfJson(part.arguments) })
      else push({ type: 'function_call', ...call, arguments: toJsonObjectText(part.arguments) })
    } else reasoning = []
  }
  return items
}

function toInputParts(
  parts: readonly (TextPart | FilePart)[],
  { provider, quirks }: ResponsesItemsOptions,
): readonly unknown[] {
  return parts.map(part => {
    if (part.type === 'text') return { type: 'input_text', text: part.text }
    const file = toFilePart(part, provider, quirks)
    if (file.type === 'image_url') return { type: 'input_image', image_url: file.image_url.url }
    if (file.type === 'file') return { type: 'input_file', ...file.file }
    throw createRefuse({ provider })('The Responses API does not accept audio.')
  })
}

function textOfJson(json: string): string {
  const value: unknown = JSON.parse(json)
  return typeof value === 'string' ? value : json
}

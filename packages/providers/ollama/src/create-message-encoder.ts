import type { AssistantMessage, FilePart, Message, SystemMessage, ToolMessage, UserMessage } from '@parley/core'
import { createEncodingCache, createRefuse, encodeJson, ownDataOf, toJsonObject } from '@parley/provider-kit'

export interface MessageEncoderOptions {
  readonly provider: string
}

interface EncodedResult {
  readonly json: string
  /** The user message with the images of the result; `''` for a result without images. */
  readonly images: string
}

/**
 * Creates an encoder that returns the JSON text of each wire message. Each message is encoded once. Images of tool results
 * follow the results in a user message. Thoughts are sent back only during a tool loop in progress.
 */
export function createMessageEncoder({ provider }: MessageEncoderOptions): (messages: readonly Message[]) => string[] {
  const encodePlain = createEncodingCache((message: SystemMessage | UserMessage) => encodeInput(message, provider))
  const encodeClosed = createEncodingCache((message: AssistantMessage) => encodeReply(message, provider, false))
  const encodeOpen = createEncodingCache((message: AssistantMessage) => encodeReply(message, provider, true))
  const encodeAnyResult = createEncodingCache(
    (message: ToolMessage, reply: AssistantMessage | undefined): EncodedResult =>
      encodeResult(message, reply, provider),
  )

  return messages => {
    const lastUser = messages.findLastIndex(message => message.role === 'user')
    const out: string[] = []
    let images: string[] = []
    let reply: AssistantMessage | undefined
    const closeResults = (): void => {
      out.push(...images)
      images = []
    }
    messages.forEach((message, index) => {
      if (message.role === 'tool') {
        const result = encodeAnyResult(message, reply)
        out.push(result.json)
        if (result.images !== '') images.push(result.images)
        return
      }
      closeResults()
      if (message.role !== 'assistant') out.push(encodePlain(message))
      else {
        reply = message
        out.push(index > lastUser ? encodeOpen(message) : encodeClosed(message))
      }
    })
    closeResults()
    return out
  }
}

function encodeInput(message: SystemMessage | UserMessage, provider: string): string {
  if (message.role === 'system') return encodeJson({ role: 'system', content: message.content })
  const texts = message.content.filter(part => part.type === 'text').map(part => part.text)
  const files = message.content.filter(part => part.type === 'file')
  return encodeJson({ role: 'user', content: texts.join('\n'), ...imagesOf(files, provider) })
}

function encodeReply({ content }: AssistantMessage, provider: string, open: boolean): string {
  let text = ''
  let thinking = ''
  const calls: unknown[] = []
  for (const part of content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') thinking += part.text
    else if (part.type === 'tool-call') {
      const { id } = ownDataOf(part, provider)
      const call = { function: { name: part.name, arguments: toJsonObject(part.arguments) } }
      calls.push(id === undefined ? call : { id, ...call })
    }
  }
  return encodeJson({
    role: 'assistant',
    content: text,
    ...(open && thinking !== '' ? { thinking } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  })
}

function encodeResult(
  { callId, name, content }: ToolMessage,
  reply: AssistantMessage | undefined,
  provider: string,
): EncodedResult {
  const call = reply?.content.find(part => part.type === 'tool-call' && part.callId === callId)
  const id = call?.type === 'tool-call' ? ownDataOf(call, provider)['id'] : undefined
  const files = content.filter(part => part.type === 'file')
  const text = content.map(part => (part.type === 'text' ? part.text : 'An image follows.')).join('\n')
  const json = encodeJson({
    role: 'tool',
    tool_name: name,
    ...(id === undefined ? {} : { tool_call_id: id }),
    content: text,
  })
  const images = { role: 'user', content: `Images from ${name}:`, ...imagesOf(files, provider) }
  return { json, images: files.length === 0 ? '' : encodeJson(images) }
}

function imagesOf(files: readonly FilePart[], provider: string): { readonly images?: readonly string[] } {
  if (files.length === 0) return {}
  const refuse = createRefuse({ provider })
  const images = files.map(({ mediaType, source }) => {
    if (!mediaType.startsWith('image/')) throw refuse(`Ollama accepts images only, not ${mediaType}.`)
    if (source.type === 'url') throw refuse('Ollama does not accept image URLs. Fetch the image and send its bytes.')
    return source.data
  })
  return { images }
}

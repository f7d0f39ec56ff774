import type { AssistantMessage, FilePart, Message, SystemMessage, ToolMessage, UserMessage } from '@parley/core'
import { createEncodingCache, encodeJson } from '@parley/provider-kit'
import { createMessageArranger } from './create-message-arranger.ts'
import { encodeAssistant, wireIdOf } from './encode-assistant.ts'
import type { Quirks } from '../quirks/quirks.ts'
import { toFilePart, type WireFilePart } from '../wire/to-file-part.ts'

export interface MessageEncoderOptions {
  readonly provider: string
  readonly quirks: Quirks
  /** Id of the requested model. */
  readonly model: string
  readonly systemRole: 'system' | 'developer' | 'user'
}

const AFTER_TOOLS = encodeJson({ role: 'assistant', content: 'I have read the results.' })

/**
 * Creates an encoder that returns the JSON text of each wire message. Each message is encoded once. Files of tool results
 * follow the results in a user message.
 */
export function createMessageEncoder(options: MessageEncoderOptions): (messages: readonly Message[]) => string[] {
  const { assistantAfterToolResults = false } = options.quirks
  const { encodePlain, encodeReply, encodeResult } = createEncoders(options)
  const arrange = createMessageArranger(options.quirks)

  return conversation => {
    const messages = arrange(conversation)
    const lastUser = messages.findLastIndex(message => message.role === 'user')
    const out: string[] = []
    let files: string[] = []
    let reply: AssistantMessage | undefined
    let afterTools = false

    // Writes the user message with the files of tool results, before the message that follows the results.
    const closeResults = (next: 'user' | 'other'): void => {
      if (!afterTools) return
      if (assistantAfterToolResults && (files.length > 0 || next === 'user')) out.push(AFTER_TOOLS)
      if (files.length > 0) out.push(`{"role":"user","content":[${files.join(',')}]}`)
      files = []
      afterTools = false
    }

    messages.forEach((message, index) => {
      if (message.role === 'tool') {
        const result = encodeResult(message, reply)
        out.push(result.json)
        if (result.files !== '') files.push(result.files)
        afterTools = true
        return
      }
      closeResults(message.role === 'user' ? 'user' : 'other')
      if (message.role === 'assistant') reply = message
      out.push(message.role === 'assistant' ? encodeReply(message, index > lastUser) : encodePlain(message))
    })
    closeResults('other')
    return out
  }
}

interface EncodedResult {
  readonly json: string
  /** Parts for the user message that follows, joined by commas. */
  readonly files: string
}

interface Encoders {
  readonly encodePlain: (message: SystemMessage | UserMessage) => string
  readonly encodeReply: (message: AssistantMessage, open: boolean) => string
  readonly encodeResult: (message: ToolMessage, reply: AssistantMessage | undefined) => EncodedResult
}

function createEncoders({ provider, model, quirks, systemRole }: MessageEncoderOptions): Encoders {
  const toFiles = (parts: readonly FilePart[]): WireFilePart[] => parts.map(part => toFilePart(part, provider, quirks))
  const encodeClosed = createEncodingCache((message: AssistantMessage) =>
    encodeAssistant(message, { provider, model, quirks, open: false }),
  )
  const encodeOpen = createEncodingCache((message: AssistantMessage) =>
    encodeAssistant(message, { provider, model, quirks, open: true }),
  )
  const { reasoningField = 'none', nameInToolResult = false } = quirks
  return {
    encodePlain: createEncodingCache((message: SystemMessage | UserMessage) =>
      message.role === 'system'
        ? encodeJson({ role: systemRole, content: message.content })
        : encodeUser(message, toFiles),
    ),
    encodeReply: (message, open) => (open && reasoningField !== 'none' ? encodeOpen(message) : encodeClosed(message)),
    encodeResult: createEncodingCache((message: ToolMessage, reply: AssistantMessage | undefined) => {
      const { callId, name } = message
      const call = reply?.content.find(part => part.type === 'tool-call' && part.callId === callId)
      const part = call?.type === 'tool-call' ? call : { type: 'tool-call' as const, callId, name, arguments: '' }
      const { content, files } = resultContent(message, toFiles)
      const id = wireIdOf(part, provider, quirks)
      const fields = { role: 'tool', tool_call_id: id, ...(nameInToolResult ? { name } : {}), content }
      return { json: encodeJson(fields), files: files.map(file => encodeJson(file)).join(',') }
    }),
  }
}

type ToFiles = (parts: readonly FilePart[]) => WireFilePart[]

function encodeUser({ content }: UserMessage, toFiles: ToFiles): string {
  // Many servers support only a string as content.
  if (content.every(part => part.type === 'text'))
    return encodeJson({ role: 'user', content: content.map(part => part.text).join('\n') })
  const parts = content.map(part => (part.type === 'text' ? { type: 'text', text: part.text } : toFiles([part])[0]))
  return encodeJson({ role: 'user', content: parts })
}

function resultContent(
  { content, name }: ToolMessage,
  toFiles: ToFiles,
): { readonly content: string; readonly files: readonly unknown[] } {
  const texts = content.filter(part => part.type === 'text').map(part => part.text)
  const files = toFiles(content.filter(part => part.type === 'file'))
  if (files.length === 0) return { content: texts.join('\n'), files }
  const intro = { type: 'text', text: `Files from ${name}:` }
  return { content: texts.length === 0 ? 'The files follow.' : texts.join('\n'), files: [intro, ...files] }
}

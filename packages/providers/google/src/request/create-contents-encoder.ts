import type { AssistantMessage, FilePart, Message, SystemMessage, ToolMessage, UserMessage } from '@parley/core'
import { createEncodingCache, encodeJson } from '@parley/provider-kit'
import { encodeReply, wireIdOf, type ReplyOptions } from './encode-reply.ts'
import { toFilePart } from './to-file-part.ts'

interface EncodedResult {
  readonly response: string
  /** File parts that follow the responses of the turn, joined by commas; `''` for a result without files. */
  readonly files: string
}

/**
 * Creates an encoder for `contents`: it returns the JSON text of each turn. Each message is encoded once. The results of one
 * message's calls share a turn, followed by their files.
 */
export function createContentsEncoder(options: ReplyOptions): (messages: readonly Message[]) => readonly string[] {
  const encodeInput = createEncodingCache((message: SystemMessage | UserMessage) => turn('user', inputParts(message)))
  const encodeModel = createEncodingCache((message: AssistantMessage) => turn('model', encodeReply(message, options)))
  const encodeResult = createEncodingCache(
    (message: ToolMessage, reply: AssistantMessage | undefined): EncodedResult => ({
      response: encodeJson(toResponse(message, wireIdIn(reply, message.callId, options.provider))),
      files: filesOf(message),
    }),
  )

  return messages => {
    const contents: string[] = []
    let reply: AssistantMessage | undefined
    let results: EncodedResult[] = []
    const closeResults = (): void => {
      if (results.length === 0) return
      const files = results.map(result => result.files).filter(text => text !== '')
      const parts = [...results.map(result => result.response), ...files].join(',')
      contents.push(`{"role":"user","parts":[${parts}]}`)
      results = []
    }
    for (const message of messages) {
      if (message.role === 'tool') {
        results.push(encodeResult(message, reply))
        continue
      }
      closeResults()
      if (message.role === 'assistant') reply = message
      const content = message.role === 'assistant' ? encodeModel(message) : encodeInput(message)
      if (content !== '') contents.push(content)
    }
    closeResults()
    return contents
  }
}

/** Encodes a turn. Returns `''` for a turn without parts, because Gemini rejects such a turn. */
function turn(role: 'user' | 'model', parts: readonly unknown[]): string {
  return parts.length === 0 ? '' : encodeJson({ role, parts })
}

function inputParts(message: SystemMessage | UserMessage): readonly unknown[] {
  // Gemini has no system role inside a conversation.
  if (message.role === 'system') return [{ text: `<system>\n${message.content}\n</system>` }]
  return message.content
    .filter(part => part.type === 'file' || part.text !== '')
    .map(part => (part.type === 'text' ? { text: part.text } : toFilePart(part)))
}

function toResponse({ name, content, isError = false }: ToolMessage, id: unknown): unknown {
  const text = content.map(part => (part.type === 'text' ? part.text : 'A file follows.')).join('\n')
  const response = isError ? { error: text } : { output: text }
  return { functionResponse: id === undefined ? { name, response } : { id, name, response } }
}

function filesOf({ content, name }: ToolMessage): string {
  const files = content.filter((part): part is FilePart => part.type === 'file').map(toFilePart)
  if (files.length === 0) return ''
  return [{ text: `Files from ${name}:` }, ...files].map(part => encodeJson(part)).join(',')
}

function wireIdIn(reply: AssistantMessage | undefined, callId: string, provider: string): unknown {
  const call = reply?.content.find(part => part.type === 'tool-call' && part.callId === callId)
  return call === undefined ? undefined : wireIdOf(call, provider)
}

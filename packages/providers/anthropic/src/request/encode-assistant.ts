import type { AssistantMessage, AssistantPart } from '@parley/core'
import { encodeJson, fieldsOf, isOwnReply, ownDataOf, toJsonObject } from '@parley/provider-kit'
import { textBlock, wireBlock, type WireBlock } from './wire-block.ts'

export interface EncodeAssistantOptions {
  readonly provider: string
  /** Id of the requested model. */
  readonly model: string
}

/**
 * Converts an assistant message to content blocks. Thoughts go back unchanged, but only to the model that wrote them. Thoughts
 * of other models are left out, because the API rejects their signatures.
 */
export function encodeAssistant(message: AssistantMessage, options: EncodeAssistantOptions): readonly WireBlock[] {
  const ownThoughts = isOwnReply(message, options)
  const blocks = message.content.map(part => encodePart(part, options.provider, ownThoughts))
  return blocks.filter(block => block !== undefined)
}

/**
 * Returns the id that a request contains for a call: the call's own id, in which each character that the API rejects is
 * replaced.
 */
export function toWireCallId(callId: string): string {
  return callId.replaceAll(/[^a-zA-Z0-9_-]/gu, character => `_${character.codePointAt(0)?.toString(16) ?? ''}`)
}

function encodePart(part: AssistantPart, provider: string, ownThoughts: boolean): WireBlock | undefined {
  const own = ownDataOf(part, provider)
  switch (part.type) {
    case 'text':
      return textBlock(part.text, own['citations'] === undefined ? {} : { citations: own['citations'] })
    case 'reasoning':
      return ownThoughts ? thoughtBlock(part.text, own) : undefined
    case 'tool-call': {
      const call = { id: toWireCallId(part.callId), name: part.name, input: toJsonObject(part.arguments) }
      return wireBlock({ type: 'tool_use', ...call, ...fieldsOf(own['call']) })
    }
    case 'opaque':
      return own['block'] === undefined ? undefined : wireBlock(own['block'] as Record<string, unknown>)
    case 'file':
      return textBlock(`[A file of an earlier answer: ${part.name ?? part.mediaType}]`)
  }
}

function thoughtBlock(thinking: string, own: ReturnType<typeof ownDataOf>): WireBlock | undefined {
  const { signature, redacted_thinking: data } = own
  if (signature !== undefined) return uncacheable({ type: 'thinking', thinking, signature })
  return data === undefined ? undefined : uncacheable({ type: 'redacted_thinking', data })
}

function uncacheable(fields: Readonly<Record<string, unknown>>): WireBlock {
  return { json: encodeJson(fields), cacheable: false }
}

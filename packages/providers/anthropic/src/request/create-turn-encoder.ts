import type { FilePart, Message, SystemMessage, TextPart, ToolMessage, UserMessage } from '@parley/core'
import { createEncodingCache, type Refuse } from '@parley/provider-kit'
import { encodeAssistant, toWireCallId } from './encode-assistant.ts'
import { toFileBlock } from './to-file-block.ts'
import { textBlock, wireBlock, type WireBlock } from './wire-block.ts'

/** Consecutive messages of one role. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly blocks: WireBlock[]
}

export interface TurnEncoderOptions {
  readonly provider: string
  readonly model: string
  readonly refuse: Refuse
}

/**
 * Creates an encoder that joins messages to turns. The results of one answer's calls share a user turn with the user message
 * after them; the results come first. Each message is encoded once.
 */
export function createTurnEncoder(options: TurnEncoderOptions): (messages: readonly Message[]) => readonly Turn[] {
  const encode = createEncodingCache((message: Message) => encodeMessage(message, options))
  return messages => {
    const turns: Turn[] = []
    for (const message of messages) {
      const role = message.role === 'assistant' ? 'assistant' : 'user'
      const blocks = encode(message)
      const last = turns.at(-1)
      if (last?.role === role) last.blocks.push(...blocks)
      else if (blocks.length > 0) turns.push({ role, blocks: [...blocks] })
    }
    trimEnd(turns)
    return turns
  }
}

function encodeMessage(message: Message, options: TurnEncoderOptions): readonly WireBlock[] {
  switch (message.role) {
    case 'assistant':
      return encodeAssistant(message, options)
    case 'tool':
      return [encodeResult(message, options.refuse)]
    case 'user':
    case 'system':
      return encodeInput(message, options.refuse)
  }
}

function encodeInput(message: UserMessage | SystemMessage, refuse: Refuse): readonly WireBlock[] {
  if (message.role === 'user') return toContent(message.content, refuse).map(wireBlock)
  // Some models reject the role `system` inside a conversation; all understand these tags.
  return [wireBlock({ type: 'text', text: `<system>\n${message.content}\n</system>` })]
}

function encodeResult({ callId, content, isError }: ToolMessage, refuse: Refuse): WireBlock {
  const blocks = toContent(content, refuse)
  return wireBlock({
    type: 'tool_result',
    tool_use_id: toWireCallId(callId),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...(isError === true ? { is_error: true } : {}),
  })
}

/** Converts parts. Skips blank texts, because the API rejects them. */
function toContent(
  parts: readonly (TextPart | FilePart)[],
  refuse: Refuse,
): readonly Readonly<Record<string, unknown>>[] {
  return parts
    .filter(part => part.type !== 'text' || part.text.trim() !== '')
    .map(part => (part.type === 'text' ? { type: 'text', text: part.text } : toFileBlock(part, refuse)))
}

/** Trims the end of the last turn: the API rejects a request that ends with white space of the assistant. */
function trimEnd(turns: Turn[]): void {
  const last = turns.at(-1)
  const text = last?.role === 'assistant' ? last.blocks.at(-1)?.text : undefined
  if (last === undefined || text === undefined || text === text.trimEnd()) return
  last.blocks.pop()
  const trimmed = textBlock(text.trimEnd())
  if (trimmed !== undefined) last.blocks.push(trimmed)
  if (last.blocks.length === 0) turns.pop()
}

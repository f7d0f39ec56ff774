import type { FilePart, Message, SystemMessage, TextPart, ToolMessage, UserMessage } from '@parley/core'
import { createEncodingCache } from '@parley/provider-kit'
import { encodeAssistant } from './encode-assistant.ts'
import type { Refuse } from '../refuse.ts'
import { toFileBlock } from './to-file-block.ts'
import { toWireCallId } from './to-wire-call-id.ts'
import { textBlock, wireBlock, type WireBlock } from './wire-block.ts'

/** What one side says before the other does. */
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
 * Encodes messages as turns: the results of one answer's calls share a user turn with what the user says after them,
 * results first. What a message became is remembered by its identity, so that a call encodes only what is new.
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
  // Not every model takes the role in the middle of a conversation; all read it this way.
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

/** The API refuses blank texts. */
function toContent(
  parts: readonly (TextPart | FilePart)[],
  refuse: Refuse,
): readonly Readonly<Record<string, unknown>>[] {
  return parts
    .filter(part => part.type !== 'text' || part.text.trim() !== '')
    .map(part => (part.type === 'text' ? { type: 'text', text: part.text } : toFileBlock(part, refuse)))
}

/** The API refuses a request that ends in white space of the assistant. */
function trimEnd(turns: Turn[]): void {
  const last = turns.at(-1)
  const text = last?.role === 'assistant' ? last.blocks.at(-1)?.text : undefined
  if (last === undefined || text === undefined || text === text.trimEnd()) return
  last.blocks.pop()
  const trimmed = textBlock(text.trimEnd())
  if (trimmed !== undefined) last.blocks.push(trimmed)
  if (last.blocks.length === 0) turns.pop()
}

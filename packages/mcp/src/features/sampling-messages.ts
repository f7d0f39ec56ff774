import type { CreateMessageRequestParams } from '@modelcontextprotocol/client'
import type { AssistantPart, Message, ToolMessage, UserPart } from '@parley/core'
import type { McpContent } from '../tools/mcp-tool-host.ts'
import { toPart } from '../tools/to-tool-outcome.ts'
import { invalidParams } from './sampling-tools.ts'

type SamplingMessage = CreateMessageRequestParams['messages'][number]
type SamplingBlock = Extract<SamplingMessage['content'], { type: string }>
type ToolUse = Extract<SamplingBlock, { type: 'tool_use' }>
type ToolResult = Extract<SamplingBlock, { type: 'tool_result' }>

/**
 * Converts the messages of a server. The protocol demands a result for each call of a message in the message after it, which
 * has nothing else. Rejects with a message for the server if one is missing, because providers refuse such requests.
 */
export function toSamplingMessages(messages: readonly SamplingMessage[]): readonly Message[] {
  let open = new Map<string, ToolUse>()
  const converted = messages.flatMap((message, index): readonly Message[] => {
    const at = `messages.${index}`
    const blocks = Array.isArray(message.content) ? message.content : [message.content]
    const results = blocks.filter(block => block.type === 'tool_result')
    if (open.size > 0 || results.length > 0) {
      const isWhole = message.role === 'user' && results.length === blocks.length
      if (!isWhole) throw invalidParams(`${at}: must have the results of the calls before it, and nothing else`)
      const told = toToolMessages(results, open, at)
      open = new Map()
      return told
    }
    if (message.role === 'user') return [{ role: message.role, content: blocks.map(block => toUserPart(block, at)) }]
    open = new Map(blocks.flatMap(block => (block.type === 'tool_use' ? [[block.id, block]] : [])))
    return [{ role: message.role, content: blocks.map(block => toAssistantPart(block, at)) }]
  })
  if (open.size > 0) throw invalidParams(`messages: the calls ${[...open.keys()].join(', ')} have no results`)
  return converted
}

function toToolMessages(
  results: readonly ToolResult[],
  calls: ReadonlyMap<string, ToolUse>,
  at: string,
): readonly ToolMessage[] {
  const ids = new Set(results.map(({ toolUseId }) => toolUseId))
  if (ids.size !== results.length || ids.size !== calls.size || ![...ids].every(id => calls.has(id)))
    throw invalidParams(`${at}: must have exactly one result for each of the calls ${[...calls.keys()].join(', ')}`)
  return results.map(({ toolUseId: callId, content, structuredContent, isError }) => ({
    role: 'tool',
    callId,
    name: calls.get(callId)?.name ?? '',
    content:
      content.length === 0
        ? [{ type: 'text', text: structuredContent === undefined ? '(no content)' : JSON.stringify(structuredContent) }]
        : content.map(block => toPart(block as McpContent)),
    ...(isError === true ? { isError } : {}),
  }))
}

function toAssistantPart(block: SamplingBlock, at: string): AssistantPart {
  if (block.type !== 'tool_use') return toUserPart(block, at)
  return { type: 'tool-call', callId: block.id, name: block.name, arguments: JSON.stringify(block.input) }
}

function toUserPart(block: SamplingBlock, at: string): UserPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text }
    case 'image':
    case 'audio':
      return { type: 'file', mediaType: block.mimeType, source: { type: 'base64', data: block.data } }
    case 'tool_use':
    case 'tool_result':
      throw invalidParams(`${at}: a message with the role user cannot have the block ${block.type}`)
  }
}

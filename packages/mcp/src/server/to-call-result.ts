import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { Json, ToolOutcome, ToolResultPart } from '@parley/core'

/** Turns a tool outcome into the protocol's shape. */
export function toCallResult(outcome: ToolOutcome): CallToolResult {
  if (outcome.type === 'ask') return { isError: true, content: [{ type: 'text', text: outcome.prompt }] }
  if (outcome.type === 'pending') {
    const text = 'The result of the tool comes later, but an MCP server must answer now.'
    return { isError: true, content: [{ type: 'text', text }] }
  }
  if (outcome.type === 'handoff') {
    const text = `The tool hands over to the agent '${outcome.target}', but an MCP server cannot hand over.`
    return { isError: true, content: [{ type: 'text', text }] }
  }
  const content = outcome.content.map((part, index) => toBlock(part, index))
  if (outcome.type === 'error') return { isError: true, content }
  const structured = outcome.type === 'answer' ? outcome.output : outcome.structured
  return isObject(structured) ? { content, structuredContent: structured } : { content }
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Turns a part into the protocol's shape. @param index Position of the part, for its name. */
export function toBlock(part: ToolResultPart, index: number): ContentBlock {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { mediaType: mimeType, source, name = `result-${index + 1}` } = part
  if (source.type === 'url') return { type: 'resource_link', uri: source.url, name, mimeType }
  const { data } = source
  if (mimeType.startsWith('image/')) return { type: 'image', data, mimeType }
  if (mimeType.startsWith('audio/')) return { type: 'audio', data, mimeType }
  return { type: 'resource', resource: { uri: `result:///${encodeURIComponent(name)}`, mimeType, blob: data } }
}

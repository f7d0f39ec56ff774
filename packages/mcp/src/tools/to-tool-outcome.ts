import { toolError, toolOk, type Json, type ToolOutcome, type ToolResultPart } from '@parley/core'
import type { McpCallResult, McpContent } from './mcp-tool-host.ts'

/** Turns a tool's result, or the failure that the tool reports, into a tool outcome. */
export function toToolOutcome({ content, structuredContent, isError }: McpCallResult, tool: string): ToolOutcome {
  const structured = structuredContent as Json | undefined
  const silence = isError === true ? `'${tool}' failed without giving a reason.` : '(no content)'
  const parts = content.length > 0 ? content.map(item => toPart(item)) : [fallback(structured, silence)]
  if (isError !== true) return toolOk(parts, structured)
  const detail = parts.map(part => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join('\n')
  return toolError(parts, { error: { code: 'tool-failed', tool, detail }, metadata: structured })
}

function fallback(structured: Json | undefined, words: string): ToolResultPart {
  return text(structured === undefined ? words : JSON.stringify(structured))
}

/** Turns a block of a result into a part of a tool message. */
export function toPart(item: McpContent): ToolResultPart {
  switch (item.type) {
    case 'text':
      return text(String(item['text']))
    case 'image':
    case 'audio':
      return file(String(item['data']), String(item['mimeType']))
    case 'resource':
      return fromResource(item['resource'] as EmbeddedResource)
    case 'resource_link':
      return fromLink(item as unknown as ResourceLink)
    default:
      return text(JSON.stringify(item))
  }
}

interface EmbeddedResource {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  readonly blob?: string
}

function fromResource({ uri, mimeType, text: words, blob }: EmbeddedResource): ToolResultPart {
  if (blob === undefined) return text(`Resource ${uri}:\n${words ?? ''}`)
  return { ...file(blob, mimeType ?? 'application/octet-stream'), name: uri }
}

interface ResourceLink {
  readonly uri: string
  readonly name: string
  readonly description?: string
  readonly mimeType?: string
}

function fromLink({ uri, name, description, mimeType }: ResourceLink): ToolResultPart {
  const facts = mimeType === undefined ? name : `${name}, ${mimeType}`
  return text(`Resource ${uri} (${facts})${description === undefined ? '' : `: ${description}`}`)
}

function text(words: string): ToolResultPart {
  return { type: 'text', text: words }
}

function file(data: string, mediaType: string): Extract<ToolResultPart, { type: 'file' }> {
  return { type: 'file', mediaType, source: { type: 'base64', data } }
}

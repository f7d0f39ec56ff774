import type { ToolMessage } from '@parley/core'
import type { McpToolName } from '@parley/encoders/kit'
import { fileContent } from './file-content.ts'
import type { JsonObject } from '../schema/json-object.ts'

export interface CallFacts {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  /** Present if the client executes the call. */
  readonly execution?: 'client' | undefined
}

/** Creates the `data` field of a message that contains a tool call. */
export function callData({ callId, name, arguments: text }: CallFacts, mcp: McpToolName | undefined): JsonObject {
  const data = { call_id: callId, name: mcp?.tool ?? name, arguments: text }
  return mcp === undefined ? data : { ...data, server_label: mcp.server }
}

/**
 * Creates the `data` field of a message that contains a tool output. Its `output` is the text, or a JSON list of parts
 * if the result has files.
 */
export function outputData(message: ToolMessage, name: string): JsonObject {
  const { callId, content, isError, structured } = message
  const onlyText = content.every(part => part.type === 'text')
  const parts = content.map(part => {
    if (part.type === 'text') return { type: 'text', text: part.text }
    const { type, value } = fileContent(part)
    return { type, ...value }
  })
  const output = onlyText
    ? content.map(part => (part.type === 'text' ? part.text : '')).join('')
    : JSON.stringify(parts)
  return {
    call_id: callId,
    name,
    output,
    ...(isError === true ? { is_error: true } : {}),
    ...(structured === undefined ? {} : { structured }),
  }
}

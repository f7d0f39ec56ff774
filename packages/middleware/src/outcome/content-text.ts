import type { ToolResultPart } from '@parley/core'

/** The text of a tool's result. */
export function contentText(content: readonly ToolResultPart[]): string {
  return content.map(part => (part.type === 'text' ? part.text : '')).join('')
}

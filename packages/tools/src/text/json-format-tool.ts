import { toolError, toolOk } from '@parley/core'
import { defineReadTool } from '../define-read-tool.ts'

/** The tool `json_format`: checks JSON and lays it out. */
export const jsonFormatTool = defineReadTool({
  name: 'json_format',
  description: 'Checks that a text is JSON and lays it out, or says where it is not. Numbers stay as they are written.',
  input: {
    type: 'object',
    properties: {
      json: { type: 'string' },
      indent: { type: 'integer', minimum: 0, maximum: 8, description: 'Spaces per level; 0 for one line. Default: 2.' },
    },
    required: ['json'],
    additionalProperties: false,
  },
  execute: ({ json, indent = 2 }) => {
    try {
      JSON.parse(json)
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      return toolError(
        `This is not JSON: ${detail.slice(0, 300).toWellFormed()}. JSON needs double quotes, no comments and no comma at the end.`,
      )
    }
    return toolOk(layOut(json, Math.max(0, Math.min(indent, 8))))
  },
})

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs
/** Deeper levels are not indented further: they would blow the text up by its square. */
const MAX_INDENTED = 100

/** Works on the text itself, because parsing would round long numbers and drop repeated names. */
function layOut(json: string, indent: number): string {
  const out: string[] = []
  let depth = 0
  let previous = ''
  const newLine = (): string => (indent === 0 ? '' : `\n${' '.repeat(indent * Math.min(depth, MAX_INDENTED))}`)
  for (const [token] of json.matchAll(TOKEN)) {
    const opened = previous === '{' || previous === '['
    if (token === '}' || token === ']') {
      depth--
      out.push(opened ? token : newLine() + token)
    } else {
      if (opened) out.push(newLine())
      if (token === '{' || token === '[') depth++
      out.push(token === ':' && indent > 0 ? ': ' : token)
      if (token === ',') out.push(newLine())
    }
    previous = token
  }
  return out.join('')
}

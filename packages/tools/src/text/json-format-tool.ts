import { toolError, toolOk } from '@parley/core'
import { defineReadTool } from '../define-built-in.ts'

/** The tool `json_format`, which checks and formats JSON. */
export const jsonFormatTool = defineReadTool({
  name: 'json_format',
  description: 'Checks that a text is JSON and formats it, or says where it is not JSON. Numbers stay as written.',
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
    const formatted = formatJson(json, Math.max(0, Math.min(indent, 8)))
    if (formatted !== undefined) return toolOk(formatted)
    return toolError(`Formatted, this has more than ${MAX_LENGTH} characters. Use a smaller indent, or a part of it.`)
  },
})

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs
/** Number of levels that are indented. Indenting deeper ones would make the text grow with the square of its depth. */
const MAX_INDENTED = 100

/** Maximum length of the formatted text, in characters. */
const MAX_LENGTH = 200_000

/**
 * Formats the text itself, because parsing would round long numbers and drop repeated names.
 * @returns `undefined` if the result is too long.
 */
function formatJson(json: string, indent: number): string | undefined {
  let out = ''
  let depth = 0
  let previous = ''
  const newLine = (): string => (indent === 0 ? '' : `\n${' '.repeat(indent * Math.min(depth, MAX_INDENTED))}`)
  for (const [token] of json.matchAll(TOKEN)) {
    const opened = previous === '{' || previous === '['
    if (token === '}' || token === ']') {
      depth--
      out += opened ? token : newLine() + token
    } else {
      if (opened) out += newLine()
      if (token === '{' || token === '[') depth++
      out += token === ':' && indent > 0 ? ': ' : token
      if (token === ',') out += newLine()
    }
    previous = token
    if (out.length > MAX_LENGTH) return undefined
  }
  return out
}

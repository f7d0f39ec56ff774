import { parse, TomlError } from 'smol-toml'
import { tooDeep } from './nesting.ts'
import type { ParsedFile } from './parsed-file.ts'

/** Reads TOML 1.0. The parser gives lines for syntax errors, but not for keys. */
export function readToml(text: string): ParsedFile {
  const lineOf = (): undefined => undefined
  try {
    return { value: datesAsText(parse(text)), problems: [], lineOf }
  } catch (error) {
    // Dotted keys can nest more deeply than the stack allows.
    if (error instanceof RangeError) return { value: undefined, problems: [tooDeep], lineOf }
    if (!(error instanceof TomlError)) throw error
    // Only the first line of the message: the next lines quote the text.
    const detail = `is invalid TOML: ${error.message.replace(/^Invalid TOML document: /, '').replace(/\n.*/s, '')}`
    return { value: undefined, problems: [{ key: [], line: error.line, detail }], lineOf }
  }
}

/** Converts dates to text. YAML and JSON have no dates, so an unquoted TOML date becomes a string. */
function datesAsText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(datesAsText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, datesAsText(item)]))
}

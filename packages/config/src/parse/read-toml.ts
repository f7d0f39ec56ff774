import { parse, TomlError } from 'smol-toml'
import type { ParsedFile } from './parsed-file.ts'

/** Reads TOML 1.0. Its parser tells lines of faults alone. */
export function readToml(text: string): ParsedFile {
  const lineOf = (): undefined => undefined
  try {
    return { value: datesAsText(parse(text)), problems: [], lineOf }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    // After the first line comes a piece of the text.
    const detail = `is no TOML: ${error.message.replace(/^Invalid TOML document: /, '').replace(/\n.*/s, '')}`
    return { value: undefined, problems: [{ key: [], line: error.line, detail }], lineOf }
  }
}

/** The other formats have no dates: one without quotes is the text it looks like. */
function datesAsText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(datesAsText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, datesAsText(item)]))
}

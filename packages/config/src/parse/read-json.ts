import type { ParsedFile } from './parsed-file.ts'
import { readYaml } from './read-yaml.ts'

/** Reads JSON. Lines, and keys that are there twice, are found by reading it as the YAML it also is. */
export function readJson(text: string): ParsedFile {
  let value: unknown
  try {
    // A byte order mark is no JSON, and invisible to whoever has to find it.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return { value: undefined, problems: [{ key: [], ...faultOf(error, text) }], lineOf: () => undefined }
  }
  const { problems, lineOf, value: same } = readYaml(text)
  return same === undefined ? { value, problems: [], lineOf: () => undefined } : { value, problems, lineOf }
}

/** The engine's message quotes the text around the fault; only its place is taken over, where it tells one. */
function faultOf(error: unknown, text: string): { readonly detail: string; readonly line?: number } {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  const place = position === undefined ? faultPlace(text) : Number(position)
  const before = text.slice(0, place).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  return { line: before.length, detail: `is no JSON: what begins in column ${column} is unexpected` }
}

const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Where JSON has no such token, or a comma has nothing after it; else the end. */
function faultPlace(text: string): number {
  const token = new RegExp(TOKEN)
  let afterComma = false
  while (token.lastIndex < text.length) {
    const at = token.lastIndex
    const [found] = token.exec(text) ?? []
    if (found === undefined || (afterComma && /^[\]}]/.test(found))) return at
    if (found.trim() !== '') afterComma = found === ','
  }
  return text.length
}

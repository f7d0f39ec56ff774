import type { ParsedFile } from './parsed-file.ts'
import { readYaml } from './read-yaml.ts'

/** Reads JSON. JSON is also YAML, so the YAML reader finds the lines and the repeated keys. */
export function readJson(text: string): ParsedFile {
  let value: unknown
  try {
    // `JSON.parse` rejects a byte order mark, which users cannot see in an editor.
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return { value: undefined, problems: [{ key: [], ...faultOf(error, text) }], lineOf: () => undefined }
  }
  const { problems, lineOf, value: same } = readYaml(text)
  return same === undefined ? { value, problems: [], lineOf: () => undefined } : { value, problems, lineOf }
}

/** Describes a syntax error by its position. V8's message quotes the text around the error, which may be a secret. */
function faultOf(error: unknown, text: string): { readonly detail: string; readonly line?: number } {
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  const place = position === undefined ? faultPlace(text) : Number(position)
  const before = text.slice(0, place).split('\n')
  const column = (before.at(-1)?.length ?? 0) + 1
  return { line: before.length, detail: `is invalid JSON: unexpected token in column ${column}` }
}

const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Finds the first invalid token, or the token after a trailing comma. Otherwise the end of the text. */
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

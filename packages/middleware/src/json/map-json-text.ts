import { mapStrings } from './map-strings.ts'

/** JSON text with the strings in it rewritten; byte for byte the same when none changed, and as plain text when it is no JSON. */
export function mapJsonText(text: string, rewrite: (text: string) => string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return rewrite(text)
  }
  const mapped = mapStrings(value, rewrite)
  return mapped === value ? text : JSON.stringify(mapped)
}

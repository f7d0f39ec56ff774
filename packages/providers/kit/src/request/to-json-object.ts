import { isFields, type Fields } from '../decode/read-fields.ts'

/**
 * Parses the arguments of a past tool call for APIs that take them as an object. Returns `{}` for blank text. Returns
 * `{ unparsed: text }` for text that is not a JSON object, so that the model still sees what it wrote.
 */
export function toJsonObject(text: string): Fields {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isFields(value)) return value
  } catch {
    // Wrapped below.
  }
  return { unparsed: text }
}

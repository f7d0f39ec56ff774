import { jsonTextFault } from '@parley/core'
import { isFields, type Fields } from '../decode/read-fields.ts'

/**
 * Parses the arguments of a past tool call for APIs that take them as an object. Returns `{}` for blank text. Returns
 * `{ unparsed: text }` for text that is not a JSON object, so that the model still sees what it wrote.
 */
export function toJsonObject(text: string): Fields {
  if (text.trim() === '') return {}
  try {
    // `JSON.stringify` of the request overflows the stack for a value that is nested too deeply.
    const value: unknown = jsonTextFault(text) === undefined ? JSON.parse(text) : undefined
    if (isFields(value)) return value
  } catch {
    // Wrapped below.
  }
  return { unparsed: text }
}

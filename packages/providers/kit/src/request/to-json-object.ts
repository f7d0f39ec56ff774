/**
 * The arguments of a past call as the object some wires want: `{}` for none, and `{ unparsed: text }` for text that is
 * no JSON object, so that the model still sees what it wrote.
 */
export function toJsonObject(text: string): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Wrapped below.
  }
  return { unparsed: text }
}

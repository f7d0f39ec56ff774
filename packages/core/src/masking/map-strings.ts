/** Rewrites every string in a JSON value, keys included. Returns `value` itself if nothing changes. */
export function mapStrings<TValue>(value: TValue, rewrite: (text: string) => string): TValue {
  return walk(value, rewrite) as TValue
}

function walk(value: unknown, rewrite: (text: string) => string): unknown {
  if (typeof value === 'string') return rewrite(value)
  if (Array.isArray(value)) {
    const items = value.map(item => walk(item, rewrite))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (typeof value !== 'object' || value === null) return value
  let changed = false
  const entries = Object.entries(value).map(([key, part]): [string, unknown] => {
    const entry: [string, unknown] = [rewrite(key), walk(part, rewrite)]
    changed ||= entry[0] !== key || entry[1] !== part
    return entry
  })
  return changed ? Object.fromEntries(entries) : value
}

/**
 * Rewrites the strings in a JSON text. Returns the same text, byte for byte, if none changes. A text that is not JSON is
 * rewritten as plain text.
 */
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

/**
 * Reads the JSON-RPC messages of one line of a server's stdout. Skips every other line: blank lines, lines that start with
 * `#`, and log lines that servers print there by mistake.
 */
export function parseMessages(line: string): readonly object[] {
  const text = line.trim()
  if (text === '' || text.startsWith('#')) return []
  try {
    const value: unknown = JSON.parse(text)
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.filter(isMessage)
  } catch {
    return []
  }
}

function isMessage(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0'
}

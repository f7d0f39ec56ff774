import type { Quirks } from './quirks.ts'

/** The header that carries the key; none without a key. */
export function keyHeaderOf(apiKey: string | undefined, { keyHeader = 'bearer' }: Quirks): Record<string, string> {
  // Keys pasted from a file bring their line end along.
  const key = apiKey?.trim() ?? ''
  if (key === '') return {}
  return keyHeader === 'api-key' ? { 'api-key': key } : { authorization: `Bearer ${key}` }
}

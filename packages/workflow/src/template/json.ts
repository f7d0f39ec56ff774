import type { Json } from '@parley/core'

export function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes data as text. Equal data has the same text: the order of object keys does not count. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map(key => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`)
  return `{${members.join()}}`
}

/** Writes a value as part of a text: strings unchanged, `null` as nothing, other data as JSON. */
export function toText(value: Json): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import type { Json } from '@parley/core'

export function isObject(value: unknown): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The same text for the same data: the order of members does not count. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .toSorted()
    .map(key => `${JSON.stringify(key)}:${canonicalText(value[key] ?? null)}`)
  return `{${members.join()}}`
}

/** A value as part of a text. */
export function toText(value: Json): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

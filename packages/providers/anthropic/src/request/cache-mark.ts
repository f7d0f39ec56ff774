import type { CacheSetting } from '@parley/core'

/** Marks one request may have. */
export const MOST_MARKS = 4

/** The mark, as JSON. */
export function cacheMark(setting: CacheSetting): string {
  const isLong = typeof setting === 'object' && setting.ttl === '1h'
  return isLong ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}'
}

/** How many marks are in `json` already. */
export function countMarks(json: string): number {
  return json.split('"cache_control":').length - 1
}

/** The JSON of an object with the mark added. */
export function withMark(json: string, mark: string): string {
  return `${json.slice(0, -1)},"cache_control":${mark}}`
}

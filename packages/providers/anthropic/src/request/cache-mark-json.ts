import type { CacheSetting } from '@parley/core'

/** Largest number of cache marks in one request. */
export const MOST_MARKS = 4

/** Returns the cache mark as JSON text. */
export function cacheMark(setting: CacheSetting): string {
  const isLong = typeof setting === 'object' && setting.ttl === '1h'
  return isLong ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}'
}

/** Counts the cache marks in a JSON text. */
export function countMarks(json: string): number {
  return json.split('"cache_control":').length - 1
}

/** Adds the cache mark to the JSON text of an object. */
export function withMark(json: string, mark: string): string {
  return `${json.slice(0, -1)},"cache_control":${mark}}`
}

import type { Json } from '@parley/core'
import { isFields } from '@parley/provider-kit'

/**
 * Joins the `extra_content` of one message, or of one tool call, from several chunks. Objects are joined field by field. Of
 * other values the last one counts; `null`, `''` and missing values never replace one, because servers repeat fields that way.
 */
export function mergeExtraContent(before: Json | undefined, next: unknown): Json | undefined {
  if (next === undefined || next === null || next === '') return before
  if (!isFields(before) || !isFields(next)) return next as Json
  const merged: Record<string, Json> = { ...before }
  for (const [name, value] of Object.entries(next)) {
    const joined = mergeExtraContent(merged[name], value)
    if (joined !== undefined) merged[name] = joined
  }
  return merged
}

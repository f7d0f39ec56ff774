import { sameJson, isRecord } from '@parley/core/json-schema'

/** A place in which two JSON values differ. */
export interface Difference {
  /** The place, for example `messages[2].content[0].text`. */
  readonly path: string
  /** Number of the line, from 1, if both values are texts of several lines. */
  readonly line?: number | undefined
  /** The value before. `undefined` if there was none. */
  readonly before: unknown
  /** The value after. `undefined` if there is none. */
  readonly after: unknown
}

/** Returns every place in which two JSON values differ, in order. A text differs in its first different line. */
export function diffJson(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (sameJson(before, after)) return []
  if (typeof before === 'string' && typeof after === 'string') return [diffText(before, after, path)]
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length)
    return Array.from({ length }, (_, index) => index).flatMap(index =>
      diffJson(before[index] as unknown, after[index] as unknown, `${path}[${index}]`),
    )
  }
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap(name => diffJson(before[name], after[name], path === '' ? name : `${path}.${name}`))
  }
  return [{ path, before, after }]
}

function diffText(before: string, after: string, path: string): Difference {
  const [old, now] = [before.split('\n'), after.split('\n')]
  if (old.length === 1 && now.length === 1) return { path, before, after }
  const line = old.findIndex((text, index) => text !== now[index])
  const index = line === -1 ? old.length : line
  return { path, line: index + 1, before: old[index], after: now[index] }
}

import { closest, distance } from 'fastest-levenshtein'

/** Returns the known name that `name` probably means, or `undefined` if none is similar. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const found = known.length === 0 ? undefined : closest(name, known)
  if (found === undefined) return undefined
  // Commander suggests commands and options by the same bound.
  const edits = distance(name, found)
  return edits <= 3 && edits < 0.6 * Math.max(name.length, found.length) ? found : undefined
}

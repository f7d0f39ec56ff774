/**
 * What the world looks like: each fact with its number. A fact is a place and a content, with a tab between them. A line
 * that a file has twice counts 2, and a number counts as what it is.
 */
export type Facts = Readonly<Record<string, number>>

/** Returns what must be added to `before` to get `after`. */
export function difference(before: Facts, after: Facts): Facts {
  const changed: Record<string, number> = {}
  for (const [fact, count] of Object.entries(after)) {
    const change = count - (before[fact] ?? 0)
    if (change !== 0) changed[fact] = change
  }
  for (const [fact, count] of Object.entries(before)) if (!(fact in after)) changed[fact] = -count
  return changed
}

/** Adds facts up. */
export function sum(one: Facts, other: Facts): Facts {
  const total: Record<string, number> = { ...one }
  for (const [fact, count] of Object.entries(other)) {
    const now = (total[fact] ?? 0) + count
    if (now === 0) delete total[fact]
    else total[fact] = now
  }
  return total
}

/** Returns the facts with other texts. Facts that become equal add up. */
export function mapFacts(facts: Facts, map: (fact: string) => string): Facts {
  const mapped: Record<string, number> = {}
  for (const [fact, count] of Object.entries(facts)) mapped[map(fact)] = (mapped[map(fact)] ?? 0) + count
  return mapped
}

const SHORTEST = 8

/**
 * Shortens ids to prefixes of one length that are unique among `all`. Ids that are created at the same time share their
 * first digits, so the length depends on the ids.
 * @param shown The ids to shorten. @default all
 */
export function shortIds(all: readonly string[], shown: readonly string[] = all): ReadonlyMap<string, string> {
  const sorted = all.toSorted()
  const wanted = new Set(shown)
  let length = SHORTEST
  for (const [index, id] of sorted.entries()) {
    if (!wanted.has(id)) continue
    for (const neighbour of [sorted[index - 1], sorted[index + 1]])
      if (neighbour !== undefined) length = Math.max(length, sharedLength(id, neighbour) + 1)
  }
  return new Map(shown.map(id => [id, cut(id, length)]))
}

/** Cuts an id to a prefix of this length, or one character more, because a prefix that ends with a dash looks unfinished. */
function cut(id: string, length: number): string {
  return id.slice(0, id[length - 1] === '-' ? length + 1 : length)
}

function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length += 1
  return length
}

/** What a commit was found to be. A skipped commit could not be tested. */
export type Verdict = 'same' | 'different' | 'skipped'

/** The outcome of a search. */
export interface SearchResult {
  /** Index of the first commit that differs, or of the last one that it can be. */
  readonly first: number
  /** Indexes of skipped commits directly before it: any of them can be the first instead. */
  readonly doubtful: readonly number[]
}

/**
 * Finds the first commit that differs by halving the range. The commit before the first one is known to be the same and the
 * last one is known to differ. Around a skipped commit the nearest ones are tested instead.
 * @param count Number of commits.
 * @param test Tests the commit with an index.
 */
export async function searchCommits(count: number, test: (index: number) => Promise<Verdict>): Promise<SearchResult> {
  const skipped = new Set<number>()
  let same = -1
  let different = count - 1
  for (;;) {
    const index = nearestUntested(same, different, skipped)
    if (index === undefined) break
    const verdict = await test(index)
    if (verdict === 'skipped') skipped.add(index)
    else if (verdict === 'same') same = index
    else different = index
  }
  const doubtful = Array.from({ length: different - same - 1 }, (_, offset) => same + 1 + offset)
  return { first: different, doubtful }
}

/** The untested commit nearest to the middle between two others. */
function nearestUntested(same: number, different: number, skipped: ReadonlySet<number>): number | undefined {
  const middle = Math.floor((same + different) / 2)
  for (let distance = 0; distance <= different - same; distance++) {
    for (const index of [middle - distance, middle + distance]) {
      if (index > same && index < different && !skipped.has(index)) return index
    }
  }
  return undefined
}

/** Runs that the reader compares, as the address of the page holds them. */
export interface CompareView {
  readonly runs: readonly string[]
}

const MOST = 11

/** Reads the view from an address. What is invalid is left out. */
export function readCompareView({ runs }: Record<string, unknown>): CompareView {
  const ids = Array.isArray(runs) ? runs.filter(id => typeof id === 'string') : []
  return { runs: [...new Set(ids)].slice(0, MOST) }
}

export const TABS = ['timeline', 'conversation', 'entries'] as const
export type RunTab = (typeof TABS)[number]

/** What the page of a run shows, as its address holds it. */
export interface RunView {
  readonly tab?: RunTab | undefined
  /** Number of the chosen entry. */
  readonly seq?: number | undefined
  /** The page shows the run as it was after this entry. Absent: as it is now. */
  readonly upto?: number | undefined
}

/** Reads the view from an address. What is invalid is left out. */
export function readRunView(search: Record<string, unknown>): RunView {
  const { tab, seq, upto } = search
  return {
    ...(TABS.includes(tab as RunTab) ? { tab: tab as RunTab } : {}),
    ...(isSeq(seq) ? { seq } : {}),
    ...(isSeq(upto) ? { upto } : {}),
  }
}

function isSeq(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1
}

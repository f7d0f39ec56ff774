import type { Entry, InboxItem, RunRecord } from '@parley/core'

/** Everything a memory store keeps of one run. */
export interface MemoryJournal {
  record: RunRecord
  worker: string
  fence: number
  readonly entries: Entry[]
  /** Everything its inbox was ever sent. */
  readonly items: InboxItem[]
  taken: number
}

import type { NoteStore, RunFacts } from '@parley/core'

/** Options that `recall_memory` and `remember_memory` share. */
export interface NoteAccess {
  readonly memory: NoteStore
  /** Returns the scope of the notes that a run reads and writes. */
  readonly scope: (run: RunFacts) => string
  /** Returns milliseconds since the epoch. */
  readonly now: () => number
}

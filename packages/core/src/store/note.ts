/** A fact that an agent keeps for later runs. */
export interface Note extends NoteText {
  readonly id: string
  readonly categories: readonly string[]
  /** Time of the first `put`, in milliseconds since the epoch. */
  readonly createdAt: number
  /** Time of the last `put` or `update`, in milliseconds since the epoch. */
  readonly updatedAt: number
  /** Number of searches with `usedAt` that have found the note. */
  readonly uses: number
  /** `usedAt` of the last such search, in milliseconds since the epoch. */
  readonly lastUsedAt?: number | undefined
}

/** What a note says. A search finds a note by the words of all three fields. */
export interface NoteText {
  readonly text: string
  /** The text in one line. */
  readonly summary?: string | undefined
  /** Words under which a user or an agent groups notes. @default none */
  readonly categories?: readonly string[] | undefined
}

/** Identifies a note. Each scope has its own ids. */
export interface NoteKey {
  readonly scope: string
  readonly id: string
}

/** A note to add or to replace. */
export interface NotePut extends NoteKey, NoteText {
  /** Time of the change, in milliseconds since the epoch. */
  readonly at: number
}

/** The fields of a note to change. A field that is absent or `undefined` stays as it is. */
export interface NoteUpdate extends NoteKey, Partial<NoteText> {
  /** Time of the change, in milliseconds since the epoch. */
  readonly at: number
}

/** A search for notes by words. */
export interface NoteSearch {
  readonly scope: string
  /** Words in any order. A query without words finds nothing. */
  readonly query: string
  /** Largest number of notes in the result. @default 5 */
  readonly limit?: number | undefined
  /** Counts a use of each found note at this time, in milliseconds since the epoch. @default no use is counted */
  readonly usedAt?: number | undefined
}

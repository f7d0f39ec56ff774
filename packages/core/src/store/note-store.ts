/** Something worth knowing in later runs. */
export interface Note {
  readonly id: string
  readonly text: string
  /** The text in a line. */
  readonly summary?: string | undefined
  readonly categories: readonly string[]
  /** Milliseconds since the epoch, as are all times here. */
  readonly createdAt: number
  readonly updatedAt: number
  /** How often a search has found it and said so. */
  readonly uses: number
  readonly lastUsedAt?: number | undefined
}

/** Which note is meant. Every scope has ids of its own. */
export interface NoteKey {
  readonly scope: string
  readonly id: string
}

export interface NotePut extends NoteKey {
  readonly at: number
  readonly text: string
  readonly summary?: string | undefined
  /** @default none */
  readonly categories?: readonly string[] | undefined
}

export interface NoteUpdate extends NoteKey, Partial<Pick<NotePut, 'text' | 'summary' | 'categories'>> {
  readonly at: number
}

export interface NoteSearch {
  readonly scope: string
  /** Words to look for, in any order. */
  readonly query: string
  /** @default 5 */
  readonly limit?: number | undefined
  /** Counts a use, at this time, of each note that is found. @default no use is counted */
  readonly usedAt?: number | undefined
}

/**
 * Notes that outlive runs, each in one scope: no call sees another's. `Store.prune` leaves them alone; they stay until they are
 * removed. `describeNoteContract` in `@parley/testing/contract` checks every promise made here.
 */
export interface NoteStore {
  /** Adds a note, or replaces what the one of the same id says: that keeps its uses and when it was created. */
  put(note: NotePut): Promise<Note>
  get(key: NoteKey): Promise<Note | undefined>
  /** Changes the given fields alone, and when the note was updated. Undefined where there is none. */
  update(change: NoteUpdate): Promise<Note | undefined>
  /** @returns Whether there was one. */
  remove(key: NoteKey): Promise<boolean>
  /** The note that was updated last first: by `updatedAt`, then by id, both falling. @param query `limit` is 50 by default. */
  list(query: { readonly scope: string; readonly limit?: number | undefined }): Promise<readonly Note[]>
  /**
   * The notes whose text, summary or categories have a word of the query (`searchWords`), the best first, in the order of
   * `rankByWords` over all notes of the scope; of equals, the order of `list`. None for a query without words.
   */
  search(query: NoteSearch): Promise<readonly Note[]>
}

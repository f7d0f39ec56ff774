import type { Note, NoteKey, NotePut, NoteSearch, NoteUpdate } from './note.ts'
import type { StoreCallOptions } from './store-call-options.ts'

/**
 * Keeps notes that outlive runs. Each note belongs to one scope, and no call sees notes of another scope. `Store.prune` keeps
 * notes; they stay until they are removed. `describeNoteContract` of `@parley/testing/contract` tests every promise.
 */
export interface NoteStore {
  /** Adds a note, or replaces the content of the note with the same id, which keeps `createdAt` and `uses`. */
  put(note: NotePut, options?: StoreCallOptions): Promise<Note>
  /** Returns a note, or `undefined` for an unknown id. */
  get(key: NoteKey, options?: StoreCallOptions): Promise<Note | undefined>
  /** Changes the given fields and `updatedAt`. @returns The changed note, or `undefined` for an unknown id. */
  update(change: NoteUpdate, options?: StoreCallOptions): Promise<Note | undefined>
  /** Removes a note. @returns Whether the id was known. */
  remove(key: NoteKey, options?: StoreCallOptions): Promise<boolean>
  /** Lists notes by `updatedAt`, then by id, both descending. @param query `limit` is 50 by default. */
  list(
    query: { readonly scope: string; readonly limit?: number | undefined },
    options?: StoreCallOptions,
  ): Promise<readonly Note[]>
  /**
   * Finds the notes whose text, summary or categories have a word of the query (`searchWords`). The best match comes first,
   * in the order of `rankByWords` over all notes of the scope. Equal matches have the order of `list`.
   */
  search(query: NoteSearch, options?: StoreCallOptions): Promise<readonly Note[]>
}

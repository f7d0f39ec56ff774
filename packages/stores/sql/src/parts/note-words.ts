import { WORD_PREFIX_LENGTH, rankByWords, searchWords } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from '../tables/store-tables.ts'

/** Primary key of a note's row. */
export interface NoteRowKey {
  readonly scope: string
  readonly note_id: string
}

/**
 * Largest number of rows in one insert, and of words in one query. SQLite limits the values of a statement and the
 * terms of a compound select.
 */
const BATCH = 100

/** Replaces the words by which a note is found. Call it in the transaction that changes the note. */
export async function replaceWords(db: Kysely<StoreTables>, key: NoteRowKey, text: string): Promise<void> {
  await removeWords(db, key)
  for (const words of inBatches([...searchWords(text)])) {
    await db
      .insertInto('memory_words')
      .values(words.map(word => ({ ...key, word })))
      .execute()
  }
}

/** Removes the words of a note. */
export async function removeWords(db: Kysely<StoreTables>, { scope, note_id }: NoteRowKey): Promise<void> {
  await db.deleteFrom('memory_words').where('scope', '=', scope).where('note_id', '=', note_id).execute()
}

/** Returns the ids of the notes that have a word of the query, best match first. */
export async function findNotes(
  db: Kysely<StoreTables>,
  { scope, query }: { readonly scope: string; readonly query: string },
): Promise<readonly string[]> {
  const words = [...searchWords(query)]
  const found = new Map<string, FoundNote>()
  for (const batch of inBatches(words)) {
    for (const { note_id, word, updated_at } of await findWords(db, scope, batch)) {
      const note = found.get(note_id) ?? { note_id, updated_at, words: [] }
      note.words.push(word)
      found.set(note_id, note)
    }
  }
  if (found.size === 0) return []
  const { total } = await db
    .selectFrom('memory_notes')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('scope', '=', scope)
    .executeTakeFirstOrThrow()
  const newestFirst = [...found.values()].toSorted(
    (a, b) => b.updated_at - a.updated_at || (a.note_id < b.note_id ? 1 : -1),
  )
  return rankByWords(newestFirst, { words, total }).map(({ note_id }) => note_id)
}

interface FoundNote {
  readonly note_id: string
  readonly updated_at: number
  readonly words: string[]
}

/** The last code point. A word that begins with a prefix sorts before the prefix followed by this code point. */
const LAST = '\u{10FFFF}'

/**
 * Finds words with a union of one query for each word, because each query uses the index. One query with `or` would
 * not.
 */
function findWords(db: Kysely<StoreTables>, scope: string, words: readonly string[]) {
  const selectWord = (wanted: string) => {
    const rows = db
      .selectFrom('memory_words')
      .innerJoin('memory_notes', join =>
        join
          .onRef('memory_notes.scope', '=', 'memory_words.scope')
          .onRef('memory_notes.note_id', '=', 'memory_words.note_id'),
      )
      .select(['memory_words.note_id', 'memory_words.word', 'memory_notes.updated_at'])
      .where('memory_words.scope', '=', scope)
    return wanted.length < WORD_PREFIX_LENGTH
      ? rows.where('word', '=', wanted)
      : rows.where('word', '>=', wanted).where('word', '<', `${wanted}${LAST}`)
  }
  const [first = '', ...others] = words
  return others.reduce((rows, word) => rows.unionAll(selectWord(word)), selectWord(first)).execute()
}

function inBatches(words: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(words.length / BATCH) }, (_, index) =>
    words.slice(index * BATCH, (index + 1) * BATCH),
  )
}

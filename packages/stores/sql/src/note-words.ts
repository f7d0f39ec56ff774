import { WORD_PREFIX_LENGTH, rankByWords, searchWords } from '@parley/core'
import type { Kysely } from 'kysely'
import type { StoreTables } from './store-tables.ts'

/** Which note is meant. */
export interface NoteRowKey {
  readonly scope: string
  readonly note_id: string
}

/** Rows of one statement, and words of one search: SQLite takes only so many values and parts at once. */
const AT_ONCE = 100

/** Puts the words a note is found by in the place of those it had. Within the transaction that changes the note. */
export async function replaceWords(db: Kysely<StoreTables>, key: NoteRowKey, text: string): Promise<void> {
  await removeWords(db, key)
  for (const words of inParts([...searchWords(text)])) {
    await db
      .insertInto('memory_words')
      .values(words.map(word => ({ ...key, word })))
      .execute()
  }
}

export async function removeWords(db: Kysely<StoreTables>, { scope, note_id }: NoteRowKey): Promise<void> {
  await db.deleteFrom('memory_words').where('scope', '=', scope).where('note_id', '=', note_id).execute()
}

/** Ids of the notes of a scope that have a word of the query, the best first. */
export async function findNotes(
  db: Kysely<StoreTables>,
  { scope, query }: { readonly scope: string; readonly query: string },
): Promise<readonly string[]> {
  const words = [...searchWords(query)]
  const found = new Map<string, FoundNote>()
  for (const part of inParts(words)) {
    for (const { note_id, word, updated_at } of await findWords(db, scope, part)) {
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

/** Beyond any letter: what begins with a word comes before the word and this. */
const LAST = '\u{10FFFF}'

/** Each word is looked up by the index, which an `or` over all of them would not be. */
function findWords(db: Kysely<StoreTables>, scope: string, words: readonly string[]) {
  const lookUp = (asked: string) => {
    const rows = db
      .selectFrom('memory_words')
      .innerJoin('memory_notes', join =>
        join
          .onRef('memory_notes.scope', '=', 'memory_words.scope')
          .onRef('memory_notes.note_id', '=', 'memory_words.note_id'),
      )
      .select(['memory_words.note_id', 'memory_words.word', 'memory_notes.updated_at'])
      .where('memory_words.scope', '=', scope)
    return asked.length < WORD_PREFIX_LENGTH
      ? rows.where('word', '=', asked)
      : rows.where('word', '>=', asked).where('word', '<', `${asked}${LAST}`)
  }
  const [first = '', ...others] = words
  return others.reduce((rows, word) => rows.unionAll(lookUp(word)), lookUp(first)).execute()
}

function inParts(words: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(words.length / AT_ONCE) }, (_, index) =>
    words.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  )
}

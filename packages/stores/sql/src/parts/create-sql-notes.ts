import type { Note, NoteStore, NoteText } from '@parley/core'
import type { Kysely } from 'kysely'
import { findNotes, removeWords, replaceWords, type NoteRowKey } from './note-words.ts'
import type { NoteRow, StoreTables } from '../tables/store-tables.ts'
import { parseColumn, type StorePart } from './store-part.ts'

/** Keeps notes in the table `memory_notes`, and the words by which they are found in `memory_words`. */
export function createSqlNotes({ name, db, guard }: StorePart): NoteStore {
  const read = (row: NoteRow): Note => toNote(row, name)
  return {
    put: ({ scope, id, at, ...content }, options) =>
      guard(
        () =>
          db.transaction().execute(async transaction => {
            const key = { scope, note_id: id }
            const values = { note: toColumn(content), updated_at: at }
            const row = await transaction
              .insertInto('memory_notes')
              .values({ ...key, ...values, created_at: at, uses: 0, last_used_at: null })
              .onConflict(conflict => conflict.columns(['scope', 'note_id']).doUpdateSet(values))
              .returningAll()
              .executeTakeFirstOrThrow()
            await replaceWords(transaction, key, searchedText(content))
            return read(row)
          }),
        options,
      ),
    get: ({ scope, id }, options) =>
      guard(async () => {
        const row = await noteAt(db, { scope, note_id: id }).executeTakeFirst()
        return row === undefined ? undefined : read(row)
      }, options),
    update: ({ scope, id, at, ...changes }, options) =>
      guard(
        () =>
          db.transaction().execute(async transaction => {
            const key = { scope, note_id: id }
            // The first statement, so that the second of two concurrent updates waits and sees the first.
            const before = await changeNote(transaction, key, { updated_at: at })
            if (before === undefined) return undefined
            const content = { ...contentOf(before, name), ...withoutUndefined(changes) }
            const row = await changeNote(transaction, key, { note: toColumn(content) })
            await replaceWords(transaction, key, searchedText(content))
            return row === undefined ? undefined : read(row)
          }),
        options,
      ),
    remove: ({ scope, id }, options) =>
      guard(
        () =>
          db.transaction().execute(async transaction => {
            const { numDeletedRows } = await transaction
              .deleteFrom('memory_notes')
              .where('scope', '=', scope)
              .where('note_id', '=', id)
              .executeTakeFirst()
            await removeWords(transaction, { scope, note_id: id })
            return numDeletedRows > 0n
          }),
        options,
      ),
    list: ({ scope, limit = 50 }, options) =>
      guard(async () => {
        const rows = db.selectFrom('memory_notes').selectAll().where('scope', '=', scope)
        const newest = rows.orderBy('updated_at', 'desc').orderBy('note_id', 'desc').limit(limit)
        return (await newest.execute()).map(read)
      }, options),
    search: ({ scope, query, limit = 5, usedAt }, options) =>
      guard(async () => {
        const ids = (await findNotes(db, { scope, query })).slice(0, limit)
        const rows = new Map((await readFound(db, { scope, ids, usedAt })).map(row => [row.note_id, row]))
        return ids.flatMap(id => rows.get(id) ?? []).map(read)
      }, options),
  }
}

function noteAt(db: Kysely<StoreTables>, { scope, note_id }: NoteRowKey) {
  return db.selectFrom('memory_notes').selectAll().where('scope', '=', scope).where('note_id', '=', note_id)
}

function changeNote(
  db: Kysely<StoreTables>,
  { scope, note_id }: NoteRowKey,
  change: Partial<Pick<NoteRow, 'note' | 'updated_at'>>,
): Promise<NoteRow | undefined> {
  const notes = db.updateTable('memory_notes').set(change).where('scope', '=', scope)
  return notes.where('note_id', '=', note_id).returningAll().executeTakeFirst()
}

interface FoundNotes {
  readonly scope: string
  readonly ids: readonly string[]
  readonly usedAt: number | undefined
}

async function readFound(db: Kysely<StoreTables>, { scope, ids, usedAt }: FoundNotes): Promise<readonly NoteRow[]> {
  if (ids.length === 0) return []
  if (usedAt === undefined) {
    return db.selectFrom('memory_notes').selectAll().where('scope', '=', scope).where('note_id', 'in', ids).execute()
  }
  return db
    .updateTable('memory_notes')
    .set(({ eb }) => ({ uses: eb('uses', '+', 1), last_used_at: usedAt }))
    .where('scope', '=', scope)
    .where('note_id', 'in', ids)
    .returningAll()
    .execute()
}

/** Returns the value of the column as JSON, because databases reject some characters in text, for example U+0000. */
function toColumn({ text, summary, categories = [] }: NoteText): string {
  return JSON.stringify({ text, summary, categories })
}

function searchedText({ text, summary = '', categories = [] }: NoteText): string {
  return [text, summary, ...categories].join('\n')
}

function contentOf({ note_id, note }: NoteRow, name: string): Pick<Note, 'text' | 'summary' | 'categories'> {
  return parseColumn(note, `${name}, note ${note_id}`)
}

function toNote(row: NoteRow, name: string): Note {
  const { note_id: id, created_at: createdAt, updated_at: updatedAt, uses, last_used_at: lastUsedAt } = row
  const used = lastUsedAt === null ? {} : { lastUsedAt }
  return { id, ...contentOf(row, name), createdAt, updatedAt, uses, ...used }
}

function withoutUndefined(changes: Partial<NoteText>): Partial<NoteText> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

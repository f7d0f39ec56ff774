import { ParleyError, type Note, type NotePut, type NoteStore } from '@parley/core'
import type { Kysely } from 'kysely'
import { findNotes, removeWords, replaceWords, type NoteRowKey } from './note-words.ts'
import type { NoteRow, StoreTables } from './store-tables.ts'

export interface SqlNotesOptions {
  /** The store, for errors. */
  readonly name: string
  readonly db: Kysely<StoreTables>
  /** Runs one call of the store. */
  readonly guard: <TResult>(call: () => Promise<TResult>) => Promise<TResult>
}

/** Notes in the table of that name, found by the words in another. */
export function createSqlNotes({ name, db, guard }: SqlNotesOptions): NoteStore {
  const read = (row: NoteRow): Note => toNote(row, name)
  return {
    put: ({ scope, id, at, ...said }) =>
      guard(() =>
        db.transaction().execute(async transaction => {
          const key = { scope, note_id: id }
          const values = { note: textOf(said), updated_at: at }
          const row = await transaction
            .insertInto('memory_notes')
            .values({ ...key, ...values, created_at: at, uses: 0, last_used_at: null })
            .onConflict(conflict => conflict.columns(['scope', 'note_id']).doUpdateSet(values))
            .returningAll()
            .executeTakeFirstOrThrow()
          await replaceWords(transaction, key, wordsOf(said))
          return read(row)
        }),
      ),
    get: ({ scope, id }) =>
      guard(async () => {
        const row = await noteAt(db, { scope, note_id: id }).executeTakeFirst()
        return row === undefined ? undefined : read(row)
      }),
    update: ({ scope, id, at, ...changes }) =>
      guard(() =>
        db.transaction().execute(async transaction => {
          const key = { scope, note_id: id }
          // First of all, so that of two changes at once the second sees the first.
          const before = await changeNote(transaction, key, { updated_at: at })
          if (before === undefined) return undefined
          const said = { ...saidIn(before, name), ...withoutUndefined(changes) }
          const row = await changeNote(transaction, key, { note: textOf(said) })
          await replaceWords(transaction, key, wordsOf(said))
          return row === undefined ? undefined : read(row)
        }),
      ),
    remove: ({ scope, id }) =>
      guard(() =>
        db.transaction().execute(async transaction => {
          const { numDeletedRows } = await transaction
            .deleteFrom('memory_notes')
            .where('scope', '=', scope)
            .where('note_id', '=', id)
            .executeTakeFirst()
          await removeWords(transaction, { scope, note_id: id })
          return numDeletedRows > 0n
        }),
      ),
    list: ({ scope, limit = 50 }) =>
      guard(async () => {
        const rows = db.selectFrom('memory_notes').selectAll().where('scope', '=', scope)
        const newest = rows.orderBy('updated_at', 'desc').orderBy('note_id', 'desc').limit(limit)
        return (await newest.execute()).map(read)
      }),
    search: ({ scope, query, limit = 5, usedAt }) =>
      guard(async () => {
        const ids = (await findNotes(db, { scope, query })).slice(0, limit)
        const rows = new Map((await take(db, { scope, ids, usedAt })).map(row => [row.note_id, row]))
        return ids.flatMap(id => rows.get(id) ?? []).map(read)
      }),
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

interface Taken {
  readonly scope: string
  readonly ids: readonly string[]
  readonly usedAt: number | undefined
}

async function take(db: Kysely<StoreTables>, { scope, ids, usedAt }: Taken): Promise<readonly NoteRow[]> {
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

type Said = Pick<NotePut, 'text' | 'summary' | 'categories'>

/** As JSON: no database takes every text. */
function textOf({ text, summary, categories = [] }: Said): string {
  return JSON.stringify({ text, summary, categories })
}

function wordsOf({ text, summary = '', categories = [] }: Said): string {
  return [text, summary, ...categories].join('\n')
}

function saidIn({ note_id, note }: NoteRow, name: string): Pick<Note, 'text' | 'summary' | 'categories'> {
  try {
    return JSON.parse(note) as Note
  } catch (cause) {
    const store = `${name}, note ${note_id}`
    throw new ParleyError({ code: 'store-corrupt', store, detail: 'it is not JSON' }, { cause })
  }
}

function toNote(row: NoteRow, name: string): Note {
  const { note_id: id, created_at: createdAt, updated_at: updatedAt, uses, last_used_at: lastUsedAt } = row
  const used = lastUsedAt === null ? {} : { lastUsedAt }
  return { id, ...saidIn(row, name), createdAt, updatedAt, uses, ...used }
}

function withoutUndefined(changes: Partial<Said>): Partial<Said> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

import { ParleyError, type DeadLetter, type DeadLetterStore } from '@parley/core'
import type { Kysely } from 'kysely'
import type { DeadLetterRow, StoreTables } from './store-tables.ts'

export interface SqlDeadLettersOptions {
  /** The store, for errors. */
  readonly name: string
  readonly db: Kysely<StoreTables>
  /** Runs one call of the store. */
  readonly guard: <TResult>(call: () => Promise<TResult>) => Promise<TResult>
}

/** Dead letters in the table of the same name. */
export function createSqlDeadLetters({ name, db, guard }: SqlDeadLettersOptions): DeadLetterStore {
  return {
    put: letter =>
      guard(async () => {
        const { letter_id, ...row } = toRow(letter)
        await db
          .insertInto('dead_letters')
          .values({ letter_id, ...row })
          .onConflict(conflict => conflict.column('letter_id').doUpdateSet(row))
          .execute()
      }),
    list: ({ subscriber, limit = 100 } = {}) =>
      guard(async () => {
        let query = db.selectFrom('dead_letters').selectAll()
        if (subscriber !== undefined) query = query.where('subscriber', '=', subscriber)
        const rows = await query.orderBy('failed_at').orderBy('letter_id').limit(limit).execute()
        return rows.map(row => toLetter(row, name))
      }),
    get: id =>
      guard(async () => {
        const row = await db.selectFrom('dead_letters').selectAll().where('letter_id', '=', id).executeTakeFirst()
        return row === undefined ? undefined : toLetter(row, name)
      }),
    remove: id =>
      guard(async () => {
        const { numDeletedRows } = await db.deleteFrom('dead_letters').where('letter_id', '=', id).executeTakeFirst()
        return numDeletedRows > 0n
      }),
    prune: ({ before, keep }) =>
      guard(async () => {
        const newest = db
          .selectFrom('dead_letters')
          .select('letter_id')
          .orderBy('failed_at', 'desc')
          .orderBy('letter_id', 'desc')
          .limit(keep)
        const { numDeletedRows } = await db
          .deleteFrom('dead_letters')
          .where(({ eb, or }) => or([eb('failed_at', '<', before), eb('letter_id', 'not in', newest)]))
          .executeTakeFirst()
        return Number(numDeletedRows)
      }),
    count: () =>
      guard(async () => {
        const { total } = await db
          .selectFrom('dead_letters')
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        return total
      }),
  }
}

function toRow(letter: DeadLetter): DeadLetterRow {
  const { id: letter_id, subscriber, failedAt: failed_at } = letter
  return { letter_id, subscriber, failed_at, letter: JSON.stringify(letter) }
}

function toLetter({ letter_id, letter }: DeadLetterRow, name: string): DeadLetter {
  try {
    return JSON.parse(letter) as DeadLetter
  } catch (cause) {
    const store = `${name}, dead letter ${letter_id}`
    throw new ParleyError({ code: 'store-corrupt', store, detail: 'it is not JSON' }, { cause })
  }
}

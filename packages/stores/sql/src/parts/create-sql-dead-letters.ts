import type { DeadLetter, DeadLetterStore } from '@parley/core'
import type { DeadLetterRow } from '../tables/store-tables.ts'
import { parseColumn, type StorePart } from './store-part.ts'

/** Keeps dead letters in the table `dead_letters`. */
export function createSqlDeadLetters({ name, db, guard }: StorePart): DeadLetterStore {
  return {
    put: (letter, options) =>
      guard(async () => {
        const { letter_id, ...row } = toRow(letter)
        await db
          .insertInto('dead_letters')
          .values({ letter_id, ...row })
          .onConflict(conflict => conflict.column('letter_id').doUpdateSet(row))
          .execute()
      }, options),
    list: ({ subscriber, limit = 100 } = {}, options) =>
      guard(async () => {
        let query = db.selectFrom('dead_letters').selectAll()
        if (subscriber !== undefined) query = query.where('subscriber', '=', subscriber)
        const rows = await query.orderBy('failed_at').orderBy('letter_id').limit(limit).execute()
        return rows.map(row => toLetter(row, name))
      }, options),
    get: (id, options) =>
      guard(async () => {
        const row = await db.selectFrom('dead_letters').selectAll().where('letter_id', '=', id).executeTakeFirst()
        return row === undefined ? undefined : toLetter(row, name)
      }, options),
    remove: (id, options) =>
      guard(async () => {
        const { numDeletedRows } = await db.deleteFrom('dead_letters').where('letter_id', '=', id).executeTakeFirst()
        return numDeletedRows > 0n
      }, options),
    prune: ({ before, keep }, options) =>
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
      }, options),
    count: options =>
      guard(async () => {
        const { total } = await db
          .selectFrom('dead_letters')
          .select(({ fn }) => fn.countAll<number>().as('total'))
          .executeTakeFirstOrThrow()
        return total
      }, options),
  }
}

function toRow(letter: DeadLetter): DeadLetterRow {
  const { id: letter_id, subscriber, failedAt: failed_at } = letter
  return { letter_id, subscriber, failed_at, letter: JSON.stringify(letter) }
}

function toLetter({ letter_id, letter }: DeadLetterRow, name: string): DeadLetter {
  return parseColumn(letter, `${name}, dead letter ${letter_id}`)
}

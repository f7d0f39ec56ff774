import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore } from '../create-sql-store.ts'
import { migrateStore } from '../tables/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { countWordQuery, planList, wordsToCount } from './list-runs-query.ts'

const scope = 'scope'

it('a list by two words goes through the runs of the rarer word, whatever the length of the words', async () => {
  const database = new Database(':memory:')
  const statements: string[] = []
  const db = new Kysely<StoreTables>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => statements.push(query.parameters.join()),
  })
  await migrateStore(db, { name: 'plain' })
  await using store = createSqlStore({ name: 'plain', db })
  const words = Array.from({ length: 600 }, (_, at) => ({ scope, started_at: at, run_id: `r${at}` }))
  await db
    .insertInto('run_words')
    .values(words.map(row => ({ ...row, word: 'telephone' })))
    .execute()
  await db
    .insertInto('run_words')
    .values(words.slice(7, 9).map(row => ({ ...row, word: 'tea' })))
    .execute()
  expect(await countWordQuery(db, { scope, word: 'tea' }).executeTakeFirst()).toEqual({ runs: 2 })
  expect(await countWordQuery(db, { scope, word: 'telephone' }).executeTakeFirst()).toEqual({ runs: 500 })
  await store.runs({ scope, text: 'telephone tea' })
  expect(statements.at(-1)).toMatch(/^scope,tea,scope,telephone/)
})

it('words are counted only if the list begins with them', () => {
  expect(wordsToCount({ scope, text: 'green tea' })).toEqual(['green', 'tea'])
  expect(wordsToCount({ scope, text: 'tea' })).toEqual([])
  expect(wordsToCount({ scope, text: 'green tea', sessionId: 's' })).toEqual([])
  expect(planList({ scope, text: 'green tea' }, [['green', 9]]).values).toMatchObject({ word0: 'tea', word1: 'green' })
})

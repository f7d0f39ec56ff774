import type { RunQuery } from '@parley/core'
import Database from 'better-sqlite3'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteDialect,
} from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore } from '../create-sql-store.ts'
import { migrateStore } from '../tables/migrate-store.ts'
import type { StoreTables } from '../tables/store-tables.ts'
import { countWordQuery, listRunsQuery, planList, wordsToCount, type CountedWord } from './list-runs-query.ts'

const scope = 'scope'

it('a list by two words goes through the runs of the rarer word, whatever the length of the words', async () => {
  const database = new Database(':memory:')
  const statements: string[] = []
  const db = new Kysely<StoreTables>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => {
      statements.push(query.parameters.join())
    },
  })
  await migrateStore(db, { name: 'plain' })
  await using store = createSqlStore({ name: 'plain', db })
  const words = Array.from({ length: 600 }, (_, at) => ({
    scope,
    started_at: at,
    run_id: `r${at}`,
    mark_a: -1,
    mark_b: -1,
  }))
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
  expect(statements.at(-1)).toMatch(/^scope,tea,[\d,]+,scope,telephone/)
})

it('words are counted if the list begins with them and has other conditions than time', () => {
  expect(wordsToCount({ scope, text: 'green tea' })).toEqual(['green', 'tea'])
  expect(wordsToCount({ scope, text: 'tea' })).toEqual([])
  expect(wordsToCount({ scope, text: 'tea', since: 1, until: 2 })).toEqual([])
  expect(wordsToCount({ scope, text: 'tea', status: 'failed' })).toEqual(['tea'])
  expect(wordsToCount({ scope, text: 'green tea', sessionId: 's' })).toEqual([])
  expect(planList({ scope, text: 'green tea' }, [['green', 9]]).values).toMatchObject({ word0: 'tea', word1: 'green' })
})

it('PostgreSQL may merge the lists of common words only, and looks up each run of a rare word', () => {
  const db = new Kysely<StoreTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: on => new PostgresIntrospector(on),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  const merges = (query: Omit<RunQuery, 'scope'>, ...counted: readonly CountedWord[]): number => {
    const { shape, values } = planList({ scope, ...query }, counted)
    return listRunsQuery(db, shape, values).compile().sql.split('exists (').length - 1
  }
  expect(merges({ text: 'green tea' }, ['green', 500], ['tea', 500])).toBe(1)
  expect(merges({ text: 'green tea' }, ['green', 500], ['tea', 499])).toBe(0)
  expect(merges({ text: 'tea', status: 'failed' }, ['tea', 500])).toBe(1)
  expect(merges({ text: 'tea', status: 'failed' }, ['tea', 499])).toBe(0)
  expect(merges({ text: 'green tea', agent: 'a' }, ['green', 500], ['tea', 500])).toBe(2)
  // No index has the runs without child runs in the order of their time.
  expect(merges({ text: 'tea', roots: true }, ['tea', 500])).toBe(0)
})

import { expect, it } from 'vitest'
import * as surface from './index.ts'

it('the SQL kit exports exactly its public surface', () => {
  expect(Object.keys(surface).sort()).toEqual([
    'addCounts',
    'addFacts',
    'countWordQuery',
    'createSqlStore',
    'journalQueries',
    'listRunsQuery',
    'migrateStore',
    'needsMigration',
    'planAppend',
    'planList',
    'toAdvance',
    'toQuotaRow',
    'toRunRecord',
    'wordsToCount',
  ])
})

import { expect, it } from 'vitest'
import * as surface from './index.ts'

it('the SQLite package exports exactly its public surface', () => {
  expect(Object.keys(surface).sort()).toEqual(['backUpSqliteStore', 'openSqliteStore'])
})

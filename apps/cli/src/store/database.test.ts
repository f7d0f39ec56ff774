import { expect, it } from 'vitest'
import { redactDatabase } from './database.ts'

it.each([
  ['.parley/parley.db', '.parley/parley.db'],
  ['postgres://ada:hidden@db.example:5433/runs', 'postgres://ada:***@db.example:5433/runs'],
  ['postgresql://db.example/runs?user=ada&password=hidden', 'postgresql://db.example/runs?user=ada&password=***'],
  ['postgres://ada@db.example/runs', 'postgres://ada@db.example/runs'],
])('redactDatabase turns %s into %s', (database, shown) => {
  expect(redactDatabase(database)).toBe(shown)
})

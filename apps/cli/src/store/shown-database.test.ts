import { expect, it } from 'vitest'
import { shownDatabase } from './shown-database.ts'

it.each([
  ['.parley/parley.db', '.parley/parley.db'],
  ['postgres://ada:hidden@db.example:5433/runs', 'postgres://ada:***@db.example:5433/runs'],
  ['postgresql://db.example/runs?user=ada&password=hidden', 'postgresql://db.example/runs?user=ada&password=***'],
  ['postgres://ada@db.example/runs', 'postgres://ada@db.example/runs'],
])('the database %s is shown as %s', (database, shown) => {
  expect(shownDatabase(database)).toBe(shown)
})

import { expect, it } from 'vitest'
import { prepareSqliteGroupKiller } from './__fixtures__/prepare-sqlite-group-killer.ts'
import type { SqliteKillPoint } from './__fixtures__/sqlite-group-worker.ts'

const killer = prepareSqliteGroupKiller()

// `sqlite-group-commit.deep.test.ts` tries every statement.
it.each<readonly [SqliteKillPoint, number]>([
  ['before', 20],
  ['committed', 4],
])('another process finishes runs that share commits after a kill: %s, statement %i', async (point, statement) => {
  expect(await killer.killAt(point, statement)).toBe(true)
})

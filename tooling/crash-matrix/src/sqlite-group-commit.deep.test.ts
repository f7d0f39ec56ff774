// Deep: it kills a process at each of about 100 statements, in two ways.
import { expect, it } from 'vitest'
import { prepareSqliteGroupKiller } from './__fixtures__/prepare-sqlite-group-killer.ts'
import type { SqliteKillPoint } from './__fixtures__/sqlite-group-worker.ts'

/** More statements than three runs need, so that the last orders end without a kill. */
const MOST_STATEMENTS = 200

const killer = prepareSqliteGroupKiller()

it.each<readonly [SqliteKillPoint, number]>([
  ['before', 40],
  ['committed', 8],
])(
  'another process finishes runs that share commits, wherever the first process is killed: %s',
  { timeout: 600_000 },
  async (point, fewest) => {
    let killPoints = 0
    for (let statement = 1; statement <= MOST_STATEMENTS; statement++) {
      if (!(await killer.killAt(point, statement))) break
      killPoints += 1
    }
    expect(killPoints).toBeGreaterThanOrEqual(fewest)
    expect(killPoints).toBeLessThan(MOST_STATEMENTS)
  },
)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import { finishGroup } from './__fixtures__/finish-group.ts'
import type { SqliteGroupOrder, SqliteKillPoint } from './__fixtures__/sqlite-group-worker.ts'

const RUNS = 3
/** More statements than three runs need, so that the last orders end without a kill. */
const MOST_STATEMENTS = 200

let script = ''
let folder = ''

beforeAll(async () => {
  script = await bundleWorker('sqlite-group-worker')
  folder = await mkdtemp(join(tmpdir(), 'parley-sqlite-group-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it.each<readonly [SqliteKillPoint, number]>([
  ['before', 40],
  ['committed', 8],
])(
  'another process finishes runs that share commits, wherever the first process is killed: %s',
  { timeout: 240_000 },
  async (point, fewest) => {
    let killPoints = 0
    for (let statement = 1; statement <= MOST_STATEMENTS; statement++) {
      if (!(await killAndFinish(point, statement))) break
      killPoints += 1
    }
    expect(killPoints).toBeGreaterThanOrEqual(fewest)
    expect(killPoints).toBeLessThan(MOST_STATEMENTS)
  },
)

/** @returns Whether the process reached the statement. */
async function killAndFinish(point: SqliteKillPoint, statement: number): Promise<boolean> {
  const base = join(folder, `${point}-${statement}`)
  const order: SqliteGroupOrder = {
    path: `${base}.db`,
    effects: `${base}-effects`,
    acknowledged: `${base}-acknowledged`,
    runs: RUNS,
    statement,
    point,
  }
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const killed = signal === 'SIGKILL'
  expect(killed || code === 0).toBe(true)
  await using store = await openSqliteStore({ path: order.path })
  await finishGroup(store, order)
  return killed
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, expect } from 'vitest'
import { bundleWorker } from './bundle-worker.ts'
import { finishGroup } from './finish-group.ts'
import type { SqliteGroupOrder, SqliteKillPoint } from './sqlite-group-worker.ts'

const RUNS = 3
/** Kills a process at a statement of its shared commits, and finishes its runs in another one. */
export interface SqliteGroupKiller {
  /** @returns Whether the process reached the statement. */
  killAt(point: SqliteKillPoint, statement: number): Promise<boolean>
}

/** Prepares the processes of the tests of one file, and removes their databases after them. */
export function prepareSqliteGroupKiller(): SqliteGroupKiller {
let script = ''
let folder = ''

beforeAll(async () => {
  script = await bundleWorker('sqlite-group-worker')
  folder = await mkdtemp(join(tmpdir(), 'parley-sqlite-group-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function killAt(point: SqliteKillPoint, statement: number): Promise<boolean> {
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

return { killAt }
}

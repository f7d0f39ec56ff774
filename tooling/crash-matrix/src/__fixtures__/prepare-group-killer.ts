import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresStore } from '@parley/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { bundleWorker } from './bundle-worker.ts'
import { dropSchema } from './drop-schema.ts'
import { finishGroup } from './finish-group.ts'
import type { GroupKillPoint, GroupOrder } from './group-worker.ts'

const RUNS = 8
/** Kills a process at a statement of its shared commits, and finishes its runs in another one. */
export interface GroupKiller {
  /** @returns Whether the process reached the statement. */
  killAt(point: GroupKillPoint, statement: number): Promise<boolean>
}

/** Prepares the processes of the tests of one file, and removes their schemas after them. */
export function prepareGroupKiller(): GroupKiller {
let script = ''
let folder = ''
const schemas: string[] = []

beforeAll(async () => {
  script = await bundleWorker('group-worker')
  folder = await mkdtemp(join(tmpdir(), 'parley-group-commit-'))
})
afterAll(async () => {
  for (const schema of schemas) await dropSchema(inject('postgresUrl'), schema)
  await rm(folder, { recursive: true, force: true })
})

async function killAt(point: GroupKillPoint, statement: number): Promise<boolean> {
  const url = inject('postgresUrl')
  const name = `group_${randomUUID().slice(0, 8)}`
  schemas.push(name)
  const order: GroupOrder = {
    url: `${url}?application_name=${name}`,
    schema: name,
    effects: join(folder, `${name}-effects`),
    acknowledged: join(folder, `${name}-acknowledged`),
    runs: RUNS,
    statement,
    point,
  }
  // Opened first: the tables are there, so the process can start with its runs.
  await untilLeft(url, name)
  await using store = await openPostgresStore({ url, schema: name })
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  const killed = signal === 'SIGKILL'
  expect(killed || code === 0).toBe(true)

  await finishGroup(store, order)
  return killed
}

return { killAt }
}

/** Waits until the server has executed what a dead process had sent. Until then a run of the process may still end. */
async function untilLeft(url: string, application: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const connected = 'select 1 from pg_stat_activity where application_name = $1'
  while ((await client.query(connected, [application])).rows.length > 0) await sleep(5)
  await client.end()
}

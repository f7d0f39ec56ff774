import { randomUUID } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresStore } from '@parley/postgres'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import { dropSchema } from './__fixtures__/drop-schema.ts'
import { finishGroup } from './__fixtures__/finish-group.ts'
import type { GroupKillPoint, GroupOrder } from './__fixtures__/group-worker.ts'

const RUNS = 8
/** More statements than eight runs need, so that the last orders end without a kill. */
const MOST_STATEMENTS = 40

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
}, 60_000)

it.each<GroupKillPoint>(['before', 'sent', 'answered'])(
  'another process finishes eight runs with every acknowledged entry, whichever shared statement the first process is killed at: %s',
  { timeout: 240_000 },
  async point => {
    let killPoints = 0
    for (let statement = 1; statement <= MOST_STATEMENTS; statement++) {
      const killed = await killAndFinish(point, statement)
      if (!killed) break
      killPoints += 1
    }
    // The start is a transaction of four statements, and each of the three turns appends twice.
    expect(killPoints).toBeGreaterThan(8)
    expect(killPoints).toBeLessThan(MOST_STATEMENTS)
  },
)

/** @returns Whether the process reached the statement. */
async function killAndFinish(point: GroupKillPoint, statement: number): Promise<boolean> {
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

/** Waits until the server has executed what a dead process had sent. Until then a run of the process may still end. */
async function untilLeft(url: string, application: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const connected = 'select 1 from pg_stat_activity where application_name = $1'
  while ((await client.query(connected, [application])).rows.length > 0) await sleep(5)
  await client.end()
}

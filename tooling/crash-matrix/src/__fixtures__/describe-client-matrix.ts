import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@parley/core'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { crashInProcess, type Parity } from './crash-in-process.ts'
import type { Found } from './describe-crash-matrix.ts'
import { dropSchema } from './drop-schema.ts'
import type { Crashes } from './examine-crashes.ts'
import type { Scenario } from './scenario.ts'

interface Place extends AsyncDisposable {
  readonly store: Store
}

/**
 * Describes scenarios of calls that the client executes, with a process that stops around every append. Each append is tried from
 * both sides: from one on SQLite and from the other on PostgreSQL.
 */
export function describeClientMatrix(scenarios: readonly Scenario[]): Found {
const crashes: Crashes[] = []
describe.each<[string, Parity, () => Promise<Place>]>([
  ['SQLite', 'odd', onSqlite],
  ['PostgreSQL', 'even', onPostgres],
])('calls of the client on %s, with a process that stops around every append', (_, parity, open) => {
  let place: Place
  beforeAll(async () => {
    place = await open()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  it.each(scenarios)('$name', { timeout: 600_000 }, async scenario => {
    const found = await crashInProcess(place.store, scenario, parity)
    crashes.push(found)
    expect(found.lost).toEqual([])
    expect(found.duplicates).toEqual([])
  })
})

return { crashes }
}

async function onSqlite(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-client-tools-'))
  const store = await openSqliteStore({ path: join(folder, 'runs.db') })
  const close = async (): Promise<void> => {
    await store[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  return { store, [Symbol.asyncDispose]: close }
}

async function onPostgres(): Promise<Place> {
  const place = { url: inject('postgresUrl'), schema: `client_${randomUUID().slice(0, 8)}` }
  const store = await openPostgresStore({ url: place.url, schema: place.schema })
  const close = async (): Promise<void> => {
    await store[Symbol.asyncDispose]()
    await dropSchema(place.url, place.schema)
  }
  return { store, [Symbol.asyncDispose]: close }
}

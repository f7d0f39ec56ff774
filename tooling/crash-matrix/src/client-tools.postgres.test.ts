import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '@parley/core'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { clientRaceScenarios } from './__fixtures__/client-race-scenarios.ts'
import { clientScenarios } from './__fixtures__/client-scenarios.ts'
import { crashInProcess, type Parity } from './__fixtures__/crash-in-process.ts'
import { dropSchema } from './__fixtures__/drop-schema.ts'

interface Place extends AsyncDisposable {
  readonly store: Store
}

let killPoints = 0

// `crash-matrix.postgres.test.ts` kills real processes in the scenarios of `clientScenarios`.
// Each append is tried from both sides: from one on SQLite and from the other on PostgreSQL.
describe.each<[string, Parity, () => Promise<Place>]>([
  ['SQLite', 'odd', onSqlite],
  ['PostgreSQL', 'even', onPostgres],
])('calls of the client on %s, with a process that stops around every append', (_, parity, open) => {
  let place: Place
  beforeAll(async () => {
    place = await open()
  })
  afterAll(() => place[Symbol.asyncDispose]())

  it.each(clientRaceScenarios)('$name', { timeout: 240_000 }, async scenario => {
    const crashes = await crashInProcess(place.store, scenario, parity)
    killPoints += crashes.killPoints
    expect(crashes.lost).toEqual([])
    expect(crashes.duplicates).toEqual([])
  })
})

it('calls of the client have more than 40 scenarios, each with its own name', () => {
  const names = [...clientScenarios, ...clientRaceScenarios].map(({ name }) => name)
  process.stdout.write(`client tools: ${JSON.stringify({ scenarios: names.length, killPoints })}\n`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThan(40)
})

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

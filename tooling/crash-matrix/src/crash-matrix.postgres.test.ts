import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import { crashEverywhere, runUndisturbed, type Matrix } from './__fixtures__/crash-everywhere.ts'
import type { Crashes } from './__fixtures__/examine-crashes.ts'
import { dropSchema } from './__fixtures__/drop-schema.ts'
import { openHeir, type Heir } from './__fixtures__/open-heir.ts'
import { scenarios } from './__fixtures__/scenarios.ts'

const names = scenarios.map(({ name }) => name)
const all: Crashes[] = []
let script = ''
let folder = ''
let heir: Heir

beforeAll(async () => {
  script = await bundleWorker('matrix-worker')
  folder = await mkdtemp(join(tmpdir(), 'parley-crash-matrix-'))
  heir = openHeir(script)
})
afterAll(async () => {
  await heir[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

describe.each<'sqlite' | 'postgres'>(['sqlite', 'postgres'])('a process on %s, killed around every append', kind => {
  let matrix: Matrix & { close(): Promise<void> }
  beforeAll(async () => {
    matrix = kind === 'sqlite' ? await onSqlite() : await onPostgres()
  }, 240_000)
  afterAll(() => matrix.close())

  it.each(names)(
    'another process finishes the scenario %s with the same result, wherever the first process is killed',
    { timeout: 60_000 },
    async scenario => {
      const crashes = await crashEverywhere(matrix, scenario)
      all.push(crashes)
      expect(crashes.lost).toEqual([])
      expect(crashes.duplicates).toEqual([])
    },
  )
})

it('the matrix has more than 400 kill points, without a lost run or a silent duplicate', () => {
  const sum = (of: (crashes: Crashes) => number): number => all.reduce((total, crashes) => total + of(crashes), 0)
  const total = {
    scenarios: scenarios.length,
    killPoints: sum(({ killPoints }) => killPoints),
    lost: sum(({ lost }) => lost.length),
    duplicates: sum(({ duplicates }) => duplicates.length),
    unknown: sum(({ unknown }) => unknown),
    repeated: sum(({ repeated }) => repeated),
  }
  process.stdout.write(`crash matrix: ${JSON.stringify(total)}\n`)
  expect(total).toMatchObject({ lost: 0, duplicates: 0 })
  expect(total.killPoints).toBeGreaterThan(400)
  // The matrix is a proof only if some crashes hide the outcome of a call and some cause a call to run again.
  expect(total.unknown).toBeGreaterThan(0)
  expect(total.repeated).toBeGreaterThan(0)
})

async function onSqlite() {
  const path = join(folder, 'runs.db')
  const ground = { script, heir, effects: join(folder, 'sqlite-effects'), place: { type: 'sqlite' as const, path } }
  const store = await openSqliteStore({ path, busyTimeoutMs: 20_000 })
  const close = (): Promise<void> => Promise.resolve(store[Symbol.asyncDispose]())
  return { ...ground, store, undisturbed: await runUndisturbed(ground, names), close }
}

async function onPostgres() {
  const place = { type: 'postgres' as const, url: inject('postgresUrl'), schema: `matrix_${randomUUID().slice(0, 8)}` }
  const store = await openPostgresStore({ url: place.url, schema: place.schema })
  const close = async (): Promise<void> => {
    await store[Symbol.asyncDispose]()
    await dropSchema(place.url, place.schema)
  }
  const ground = { script, heir, effects: join(folder, 'postgres-effects'), place }
  return { ...ground, store, undisturbed: await runUndisturbed(ground, names), close }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { bundleWorker } from './bundle-worker.ts'
import { crashEverywhere, runUndisturbed, type Matrix } from './crash-everywhere.ts'
import type { Crashes } from './examine-crashes.ts'
import { dropSchema } from './drop-schema.ts'
import { openHeir, type Heir } from './open-heir.ts'

/** What the tests of a matrix found. */
export interface Found {
  readonly crashes: readonly Crashes[]
}

/**
 * Describes the crash matrix of scenarios on both stores: a process is killed around every append, and another one finishes its
 * runs.
 */
export function describeCrashMatrix(names: readonly string[]): Found {
const crashes: Crashes[] = []
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
  })
  afterAll(() => matrix.close())

  it.each(names)(
    'another process finishes the scenario %s with the same result, wherever the first process is killed',
    async scenario => {
      const found = await crashEverywhere(matrix, scenario)
      crashes.push(found)
      expect(found.lost).toEqual([])
      expect(found.duplicates).toEqual([])
    },
  )
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

return { crashes }
}

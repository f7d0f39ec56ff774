// Deep: it starts a second PostgreSQL server that takes over.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry, Store } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { expect, it } from 'vitest'
import { slowWorker } from './__fixtures__/slow-worker.ts'
import { startPostgres } from './__fixtures__/start-postgres.ts'
import { startStandby } from './__fixtures__/start-standby.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const RUNS = 20
const TURNS = 6

it('the PostgreSQL store loses no acknowledged append when the primary is killed during twenty runs and its standby is promoted', async () => {
  await using primary = await startPostgres()
  await using standby = await startStandby(primary)
  const url = bothOf(standby.url, primary.url)
  // The standby is named first, so that the address alone does not lead to the primary.
  await using store = await openPostgresStore({ url, connections: 10 })
  const acknowledged = new Map<string, Entry[]>()
  const { agent, calls } = slowWorker(TURNS)
  await using runtime = createRuntime({ store: noting(store, acknowledged), agents: [agent] })
  let told = Promise.withResolvers<string>()
  await using _watch = await store.watch?.(runId => told.resolve(runId))
  const runs = Array.from({ length: RUNS }, () => runtime.run('worker', 'go'))
  while (calls.size < RUNS * 2) await sleep(2)
  primary.kill()
  const before = [...acknowledged.values()].flat().length
  await sleep(200)
  await standby.promote()

  const results = await Promise.all(runs.map(run => run.result))
  expect(results.filter(({ status }) => status !== 'completed')).toEqual([])
  expect([...calls.values()].filter(count => count !== 1)).toEqual([])
  expect(calls.size).toBe(RUNS * TURNS)
  expect(before).toBeGreaterThan(RUNS * 2)
  await using after = await openPostgresStore({ url: standby.url })
  expect(acknowledged.size).toBe(RUNS)
  for (const [runId, entries] of acknowledged) expect(await after.read(runId)).toEqual(entries)

  // The watch reports what is written to the new primary.
  for (told = Promise.withResolvers(); ;) {
    await runtime.run('worker', 'go').result
    if ((await Promise.race([told.promise, sleep(100)])) !== undefined) break
  }
})

it('openPostgresStore connects to the server that accepts writes, and its error names all servers', async () => {
  await using primary = await startPostgres()
  await using standby = await startStandby(primary)
  for (const url of [bothOf(primary.url, standby.url), bothOf(standby.url, primary.url)]) {
    await using store = await openPostgresStore({ url })
    await store.notes?.put({ scope: 's', id: url, at: 1, text: 'tea' })
  }
  const { host } = new URL(standby.url)
  const nobody = new URL(standby.url)
  nobody.port = '1'
  const url = bothOf(nobody.href, standby.url)
  await expect(openPostgresStore({ url })).rejects.toMatchObject({
    info: {
      code: 'store-unavailable',
      store: `127.0.0.1:1,${host}/postgres`,
      detail: expect.stringContaining('read-only replica'),
    },
  })
})

/** Returns the address of the first server with the host of the second added. */
function bothOf(first: string, second: string): string {
  const { host } = new URL(first)
  return first.replace(host, `${host},${new URL(second).host}`)
}

/** Wraps the store and records what it has acknowledged. */
function noting(store: Store, acknowledged: Map<string, Entry[]>): Store {
  return {
    ...store,
    append: async append => {
      await store.append(append)
      const entries = acknowledged.get(append.runId) ?? []
      acknowledged.set(append.runId, [...entries, ...append.entries])
    },
  }
}

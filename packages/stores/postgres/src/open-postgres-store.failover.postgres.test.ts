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

it('loses nothing it has acknowledged when the primary dies under twenty runs and its standby is promoted', async () => {
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

  // Who watches is told of what is written there.
  for (told = Promise.withResolvers(); ;) {
    await runtime.run('worker', 'go').result
    if ((await Promise.race([told.promise, sleep(100)])) !== undefined) break
  }
})

it('opens at the one of several servers that takes writes, and says which ones it has asked', async () => {
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

/** The address of the first, with the host of the second after its own. */
function bothOf(first: string, second: string): string {
  const { host } = new URL(first)
  return first.replace(host, `${host},${new URL(second).host}`)
}

/** The store, while what it has acknowledged is written down. */
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

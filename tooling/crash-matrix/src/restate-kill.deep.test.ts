// Deep: it starts Restate servers and kills them.
import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Entry, EntryOf } from '@parley/core'
import { openPostgresStore } from '@parley/postgres'
import { createRestateClient } from '@parley/restate'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { bundleWorker } from './__fixtures__/bundle-worker.ts'
import { dropSchema } from './__fixtures__/drop-schema.ts'
import { isWithoutRestate, notTriedOnRestate } from './__fixtures__/not-tried-on-restate.ts'
import { freePort } from '@parley-tooling/test-run/free-port'
import type { MortalOrder } from './__fixtures__/mortal-worker.ts'
import { startRestate, type RestateServer } from './__fixtures__/start-restate.ts'

it.runIf(isWithoutRestate)('a Restate server is installed', notTriedOnRestate)

describe.skipIf(isWithoutRestate)('a run on Restate whose worker is killed', () => {
  let server: RestateServer
  beforeAll(async () => {
    server = await startRestate()
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('a killed worker leaves its open calls to another worker, which repeats only the read tools', async () => {
    await using place = await openMortalPlace(server)
    await place.startWorker()
    const run = await place.client.start('batch', 'go')
    await place.until(run.runId, entries => endsIn(entries).length === 2 && place.begun().length === 4)
    await place.killWorkers()
    await place.openGate()
    await place.startWorker()
    expect(await run.result()).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(place.begun().toSorted()).toEqual(['quick_once', 'quick_read', 'slow_once', 'slow_read', 'slow_read'])
    const ends = endsIn(await place.store.read(run.runId)).map(({ name, error }) => [name, error?.code])
    expect(Object.fromEntries(ends)).toEqual({
      quick_once: undefined,
      quick_read: undefined,
      slow_read: undefined,
      slow_once: 'tool-interrupted',
    })
    // The second attempt requested the same operations as the first.
    const calls = ['tool quick_once', 'tool quick_read', 'tool slow_read', 'tool slow_once']
    expect(await server.operations(run.runId)).toEqual(['step 1', ...calls, 'step 2', 'step 3'])
  })

  it('a killed worker leaves its child runs to another worker, where they complete or are cancelled', async () => {
    await using place = await openMortalPlace(server)
    await place.startWorker()
    const runs = await Promise.all([place.client.start('lead', 'go'), place.client.start('lead', 'stop')])
    await vi.waitFor(() => expect(place.begun()).toHaveLength(2), 30_000)
    await place.killWorkers()
    await place.startWorker()
    await vi.waitFor(() => expect(place.begun()).toHaveLength(4), 30_000)
    const [going, stopped] = runs
    await stopped.cancel({ kind: 'user', detail: 'enough' })
    expect(await stopped.result()).toMatchObject({ status: 'cancelled', reason: { detail: 'enough' } })
    await place.openGate()
    expect(await going.result()).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(place.begun()).toHaveLength(4)
    const outcomes = await Promise.all(runs.map(async ({ runId }) => childOutcome(await place.store.read(runId))))
    expect(outcomes).toEqual(['completed', 'cancelled'])
    // Only the call of the sub-agent was repeated, because the parent run waited for nothing else.
    expect(await server.operations(going.runId)).toEqual(['step 1', 'tool help', 'tool help', 'step 2', 'step 3'])
  })
})

async function openMortalPlace(server: RestateServer) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-restate-kill-'))
  const effects = join(folder, 'effects')
  await writeFile(effects, '')
  const schema = `kill_${randomUUID().slice(0, 8)}`
  const port = await freePort()
  const order: MortalOrder = { url: inject('postgresUrl'), schema, port, effects, gate: join(folder, 'gate') }
  const store = await openPostgresStore({ url: order.url, schema: order.schema })
  const script = await bundleWorker('mortal-worker')
  const workers: ChildProcess[] = []
  let registered = false

  async function killWorkers(): Promise<void> {
    for (const worker of workers.splice(0)) {
      worker.kill('SIGKILL')
      await once(worker, 'exit')
    }
  }
  return {
    store,
    client: createRestateClient({ ingress: server.ingress, store }),
    startWorker: async () => {
      const worker = fork(script, [JSON.stringify(order)])
      workers.push(worker)
      await once(worker, 'message')
      if (!registered) await server.register(`http://127.0.0.1:${port}`)
      registered = true
    },
    killWorkers,
    openGate: () => writeFile(order.gate, ''),
    /** Names of the started handlers. */
    begun: () => readFileSync(effects, 'utf8').split('\n').filter(Boolean),
    until: (runId: string, isSo: (entries: readonly Entry[]) => boolean) =>
      vi.waitFor(async () => expect(isSo(await store.read(runId))).toBe(true), 30_000),
    [Symbol.asyncDispose]: async () => {
      await killWorkers()
      await store[Symbol.asyncDispose]()
      await dropSchema(order.url, schema)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function endsIn(entries: readonly Entry[]): readonly EntryOf<'tool.ended'>[] {
  return entries.filter(entry => entry.type === 'tool.ended')
}

function childOutcome(entries: readonly Entry[]): string | undefined {
  return entries.find(entry => entry.type === 'agent.ended')?.outcome.status
}

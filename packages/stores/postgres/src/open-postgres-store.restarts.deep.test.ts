// Deep: it kills and restarts PostgreSQL servers.
import { defineTool } from '@parley/core'
import { createRuntime, defineAgent, type RunResult } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { Client } from 'pg'
import { describe, expect, it } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { startedEntry } from './__fixtures__/sample-entry.ts'
import { slowWorker } from './__fixtures__/slow-worker.ts'
import { startPostgres } from './__fixtures__/start-postgres.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const RUNS = 50
const TURNS = 6

describe('a PostgreSQL server that is killed and restarted', () => {
  it('fifty runs survive the restart of the server, and no tool call is executed twice', async () => {
    await using server = await startPostgres()
    await using store = await openPostgresStore({ url: server.url, connections: 20 })
    const { agent, calls } = slowWorker(TURNS)
    await using runtime = createRuntime({ store, agents: [agent] })
    const runs = Array.from({ length: RUNS }, () => runtime.run('worker', 'go'))
    for (let kills = 0; kills < 2; kills++) {
      const enough = (kills + 1) * RUNS
      while (calls.size < enough) await sleep(2)
      server.kill()
      await server.restart()
    }
    const results: readonly RunResult[] = await Promise.all(runs.map(run => run.result))
    expect(results.filter(({ status }) => status !== 'completed')).toEqual([])
    expect(calls.size).toBe(RUNS * TURNS)
    expect([...calls.values()].filter(count => count !== 1)).toEqual([])
    const records = await store.runs({ scope: 'default', status: 'completed' })
    expect(records).toHaveLength(RUNS)
    for (const { runId, seq } of records) expect(await store.read(runId)).toHaveLength(seq)
  })

  it('the store loses nothing when the server becomes a replica and the address leads to a new primary', async () => {
    await using server = await startPostgres()
    await using store = await openPostgresStore({ url: server.url, connections: 4 })
    const admin = new Client({ connectionString: server.url })
    await admin.connect()
    const gate = Promise.withResolvers<void>()
    const calls: string[] = []
    const work = defineTool({
      name: 'work',
      description: 'Works.',
      input: { type: 'object' },
      execute: async (_, { idempotencyKey }) => {
        calls.push(idempotencyKey)
        await gate.promise
        return 'done'
      },
    })
    const model = scriptedModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ name: 'work' }] } : 'all done',
    )
    await using runtime = createRuntime({ store, agents: [defineAgent({ name: 'worker', model, tools: [work] })] })
    const runs = Array.from({ length: 10 }, () => runtime.run('worker', 'go'))
    while (calls.length < runs.length) await sleep(2)
    // New connections find a server that accepts no writes, and stay read-only as long as they are open.
    await admin.query('alter role parley set default_transaction_read_only = on')
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley'`)
    gate.resolve()
    const refused = `select 1 from pg_stat_activity where application_name = 'parley' and query like '%into appends%'`
    while ((await admin.query(refused)).rows.length === 0) await sleep(2)
    await admin.query('begin read write; alter role parley reset default_transaction_read_only; commit')
    const results = await Promise.all(runs.map(run => run.result))
    expect(results.map(({ status }) => status)).toEqual(runs.map(() => 'completed'))
    expect(new Set(calls).size).toBe(runs.length)
    expect(calls).toHaveLength(runs.length)
    await admin.end()
  })

  it('a watch continues when the server is back', async () => {
    await using server = await startPostgres()
    await using store = await openPostgresStore({ url: server.url })
    let told = Promise.withResolvers<string>()
    await using _watch = await store.watch?.(runId => told.resolve(runId))
    const append = { worker: 'w', fence: 1, expectedSeq: 0 }
    await store.append({ ...append, runId: 'before', entries: [startedEntry()] })
    expect(await told.promise).toBe('before')
    server.kill()
    await server.restart()
    for (let index = 0; ; index++) {
      told = Promise.withResolvers()
      await store.append({ ...append, runId: `after-${index}`, entries: [startedEntry()] })
      if ((await Promise.race([told.promise, sleep(100)])) !== undefined) break
    }
  })

  it('a call fails after waitMs without a server, and the store works again when the server is back', async () => {
    await using server = await startPostgres()
    await using store = await openPostgresStore({ url: server.url, waitMs: 300 })
    server.kill()
    // A connection may stay open for a moment after the server is gone.
    let error: unknown
    while (error === undefined)
      error = await store.run('r').then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toMatchObject({
      info: { code: 'store-unavailable', detail: expect.stringContaining('could not be reached for 300 ms') },
    })
    await server.restart()
    expect(await store.run('r')).toBeUndefined()
  })
})

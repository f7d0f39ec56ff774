import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { createEventBus } from '@parley/event-bus'
import { openSqliteStore } from '@parley/sqlite'
import { fakeClock, scriptedModel } from '@parley/testing'
import { expect, it } from 'vitest'

it('33: close waits for runs until its deadline, cancels the rest, closes each resource once and reports a killed one', async () => {
  const clock = fakeClock()
  let closed = 0
  const server = {
    async [Symbol.asyncDispose]() {
      closed++
    },
    close: async () => (closed++, { outcome: 'killed' as const }),
  }
  const store = createMemoryStore()
  const agent = defineAgent({ name: 'a', model: scriptedModel([{ hang: true }]) })
  const runtime = createRuntime({ agents: [agent], store, clock, resources: [server] })
  const run = runtime.run('a', 'go')
  for await (const event of run) if (event.type === 'model.started') break
  const closing = runtime.close({ drainMs: 1_000 })
  await clock.advance(999)
  expect((await store.run(run.runId))?.status).toBe('running')
  await clock.advance(1)
  expect(await closing).toMatchObject({ exitCode: 1, cancelled: 1 })
  expect(await run.result).toMatchObject({ status: 'cancelled', reason: { kind: 'shutdown' } })
  expect((await store.read(run.runId)).at(-1)?.type).toBe('run.ended')
  await runtime.close()
  expect(closed).toBe(1)
})

it('34: the event bus retries a failing subscriber and then stores its events as dead letters, which survive a restart', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'parley-'))
  try {
    const clock = fakeClock()
    const others: string[] = []
    let tries = 0
    {
      await using store = await openSqliteStore({ path: path.join(dir, 'p.db') })
      const bus = createEventBus({ deadLetters: store.deadLetters, retry: { maxRetries: 2 }, clock })
      const only = { filter: { types: ['run.ended' as const] } }
      bus.subscribe(() => (tries++, Promise.reject(new Error('down'))), { name: 'crashes', ...only })
      bus.subscribe(event => void others.push(event.type), { name: 'works', ...only })
      const agents = [defineAgent({ name: 'a', model: scriptedModel(['Hi.']) })]
      await createRuntime({ agents, bus, clock }).run('a', 'go').result
      await clock.advance(120_000)
      expect([tries, others]).toEqual([3, ['run.ended']])
    }
    await using store = await openSqliteStore({ path: path.join(dir, 'p.db') })
    expect(await store.deadLetters?.list({})).toMatchObject([{ subscriber: 'crashes', event: { type: 'run.ended' } }])
  } finally {
    await rm(dir, { recursive: true })
  }
})

it('29: a runtime finds no run, session or transcript of another scope', async () => {
  const agents = [defineAgent({ name: 'a', model: scriptedModel(['Secret.']) })]
  const runtime = createRuntime({ agents, store: createMemoryStore() })
  const { runId, sessionId } = await runtime.run('a', 'go', { scope: 'mine' }).result
  const theirs = { scope: 'theirs' }
  expect(await runtime.runs(theirs)).toEqual([])
  expect(await runtime.session(sessionId, theirs)).toEqual([])
  for (const look of [
    () => runtime.transcript(runId, theirs),
    () => runtime.resume(runId, theirs),
    () => runtime.fork(runId, { ...theirs, input: 'x' }),
    () => runtime.decide(runId, 'x', { ...theirs, decision: { type: 'approved' } }),
  ]) {
    await expect(look()).rejects.toThrow(`There is no run '${runId}' in this store.`)
  }
  expect((await runtime.transcript(runId, { scope: 'mine' })).length).toBe(2)
})

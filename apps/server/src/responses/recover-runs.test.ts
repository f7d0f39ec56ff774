import { ENTRY_VERSION, type Store } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import type { Script } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { compose, createTestApp } from '../__fixtures__/open-test-server.ts'

const chat = { model: 'guide', messages: [{ role: 'user', content: 'go' }] }

/** Writes the beginning of a run that a worker drives. */
async function begin(store: Store, runId: string, worker: string): Promise<void> {
  const at = { v: ENTRY_VERSION, at: Date.now() } as const
  const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] }
  const facts = { agent: 'guide', model: 'm', sessionId: runId, scope: 'default', relation: 'initial' as const }
  const entries = [
    { ...at, seq: 1, type: 'run.started' as const, ...facts },
    { ...at, seq: 2, type: 'message.appended' as const, source: 'input' as const, message },
  ]
  await store.append({ runId, expectedSeq: 0, worker, fence: 1, entries })
}

/** A server that finds every other worker dead. */
function openSuccessor(store: Store, script: Script) {
  const { agents } = compose({ store, script })
  return createTestApp({ store, agents, runtime: createRuntime({ agents, store, isWorkerGone: () => true }) })
}

describe('takeOver', () => {
  it('the run of a live worker does not stop the search for runs of dead workers', async () => {
    const store = createMemoryStore()
    await begin(store, 'run-1', 'alive')
    await begin(store, 'run-2', 'dead')
    await begin(store, 'run-3', 'alive')
    await store.heartbeat({ worker: 'alive', at: Date.now(), ttlMs: 60_000 })
    const { app } = createTestApp({ store })
    expect(await app.takeOver()).toBe(1)
    await vi.waitFor(async () => expect((await store.run('run-2'))?.status).toBe('completed'), 30_000)
    expect((await store.run('run-1'))?.status).toBe('running')
  })
})

describe('a request whose server died', () => {
  it('an equal request is answered by the run that the next server resumed', async () => {
    const store = createMemoryStore()
    const gone = createTestApp({ store, script: [{ hang: true }] })
    void gone.send('/v1/chat/completions', { json: chat })
    await vi.waitFor(async () => expect(await store.runs({ scope: 'default' })).toHaveLength(1), 30_000)
    const { app, send } = openSuccessor(store, () => 'An answer.')
    expect(await app.recover()).toBe(1)
    expect(await (await send('/v1/chat/completions', { json: chat })).text()).toContain('An answer.')
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
    await gone.runtime.close({ drainMs: 0 })
  })

  it('a client that repeats its request and leaves cancels the run that the next server resumed', async () => {
    const store = createMemoryStore()
    const json = { ...chat, stream: true }
    const gone = createTestApp({ store, script: [{ text: 'Half', hang: true }] })
    await gone.send('/v1/chat/completions', { json })
    await vi.waitFor(async () => expect(await store.runs({ scope: 'default' })).toHaveLength(1), 30_000)
    const { app, send } = openSuccessor(store, [{ text: 'Half', hang: true }])
    await app.recover()
    const again = await send('/v1/chat/completions', { json })
    await again.body?.cancel()
    await vi.waitFor(
      async () => expect(await store.runs({ scope: 'default', status: 'cancelled' })).toHaveLength(1),
      30_000,
    )
    await gone.runtime.close({ drainMs: 0 })
  })
})

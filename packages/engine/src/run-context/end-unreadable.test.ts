import { userMessage, type Entry } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { endUnreadable } from './end-unreadable.ts'

const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'default', relation: 'initial' as const }
const entries: readonly Entry[] = [
  { v: 1, seq: 1, at: 1, type: 'run.started', ...identity },
  { v: 1, seq: 2, at: 1, type: 'message.appended', source: 'input', message: userMessage('hi') },
]
const error = { code: 'internal', detail: 'unreadable' } as const

async function setup() {
  const clock = fakeClock()
  const store = createMemoryStore()
  await store.append({ runId: 'r', worker: 'first', fence: 1, expectedSeq: 0, entries })
  const end = () => endUnreadable({ store, clock, worker: 'w', runId: 'r', error, attempts: 3 })
  return { clock, store, end }
}

it('an unreadable run ends as failed with the commands of its inbox, and leaves a dead letter', async () => {
  const { store, end } = await setup()
  const command = { type: 'cancel' as const, reason: { kind: 'user' as const } }
  for (const id of ['i', 'j']) await store.inbox?.put({ runId: 'r', id, at: 0, command })
  await end()
  expect((await store.run('r'))?.status).toBe('failed')
  expect((await store.read('r')).at(-1)).toMatchObject({ type: 'run.ended', outcome: { status: 'failed', error } })
  expect(await store.inbox?.read('r')).toEqual([])
  expect(await store.deadLetters?.list()).toMatchObject([{ id: 'r', subscriber: 'runtime', attempts: 3 }])
})

it('an unreadable run of a live worker stays as it is', async () => {
  const { clock, store, end } = await setup()
  await store.heartbeat({ worker: 'first', at: clock.now(), ttlMs: 1_000 })
  await expect(end()).rejects.toMatchObject({ info: { code: 'run-busy', runId: 'r', worker: 'first' } })
  expect(await store.read('r')).toEqual(entries)
})

it('a run that has ended is not ended again', async () => {
  const { store, end } = await setup()
  await end()
  await end()
  expect(await store.read('r')).toHaveLength(3)
})

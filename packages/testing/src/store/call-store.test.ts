import type { RunInbox, Store } from '@parley/core'
import { expect, it } from 'vitest'
import { callStore } from './call-store.ts'
import type { StoreCommand } from './store-model.ts'

const commands: readonly StoreCommand[] = [
  { type: 'append', runId: 'r', worker: 'w', fence: 1, expectedSeq: 0, entries: [] },
  { type: 'claim', runId: 'r', worker: 'w', expectedFence: 1, at: 1 },
  { type: 'heartbeat', worker: 'w', at: 1, ttlMs: 1 },
  { type: 'runs', scope: 's' },
  { type: 'put', runId: 'r', id: 'i', at: 1, command: { type: 'cancel', reason: { kind: 'user' } } },
  { type: 'prune', scope: 's', before: 1 },
] as unknown as readonly StoreCommand[]

it.each(commands)('callStore gives the store the request of $type without the field type', async command => {
  const given: unknown[] = []
  const take = async (request: unknown): Promise<undefined> => void given.push(request)
  const inbox = { put: take } as unknown as RunInbox
  const store = { append: take, claim: take, heartbeat: take, runs: take, prune: take, inbox } as unknown as Store
  await callStore(store, command)
  const { type: _, ...request } = command
  expect(given).toEqual([request])
})

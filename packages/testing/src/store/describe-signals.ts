import type { Store, StoreCallOptions } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { saidEntry, startedEntry } from './sample-entry.ts'

/** Tests that every call of a store honors its signal. */
export function describeSignals(open: () => Promise<Store>): void {
  describe('with a signal', () => {
    it('every call rejects with the reason of a signal that is aborted before it, and changes nothing', async () => {
      await using store = await open()
      await store.append(begin)
      await rejectAll(callsOf(store))
      expect(await store.read('r')).toEqual(begin.entries)
      expect(await store.run('new')).toBeUndefined()
      expect(await store.claim({ runId: 'r', worker: 'other', at: 1 })).toEqual({ granted: true, fence: 2 })
      expect((await store.inbox?.read('r')) ?? []).toEqual([])
    })

    it('a call with a signal that is not aborted has the same result as a call without', async () => {
      await using store = await open()
      const { signal } = new AbortController()
      await store.append(begin, { signal })
      expect(await store.read('r', { afterSeq: 1, signal })).toEqual(begin.entries.slice(1))
      expect(await store.run('r', { signal })).toMatchObject({ seq: 2 })
      expect(await store.runs({ scope: 'scope' }, { signal })).toHaveLength(1)
    })

    it('an append that is aborted while it runs settles with its result or the reason, and the journal stays whole', async () => {
      await using store = await open()
      const controller = new AbortController()
      const appends = Array.from({ length: 20 }, (_, index) =>
        store.append({ ...begin, runId: `run-${index}` }, { signal: controller.signal }),
      )
      controller.abort('enough')
      const settled = await Promise.allSettled(appends)
      for (const [index, result] of settled.entries()) {
        const outcome = result.status === 'rejected' ? result.reason : await store.read(`run-${index}`)
        expect(['enough', begin.entries]).toContainEqual(outcome)
      }
      for (const { runId } of await store.runs({ scope: 'scope' })) expect(await store.read(runId)).toHaveLength(2)
    })
  })
}

/** Checks that each call rejects, or throws, with the reason of an aborted signal. */
export async function rejectAll(calls: readonly AbortableCall[]): Promise<void> {
  const reason = Symbol('reason')
  const options = { signal: AbortSignal.abort(reason) }
  for (const call of calls) {
    const rejection = await (async () => call(options))().catch((error: unknown) => error)
    expect({ call: call.toString(), rejection }).toEqual({ call: call.toString(), rejection: reason })
  }
}

type AbortableCall = (options: StoreCallOptions) => unknown

/** Every call of a store and of its inbox, as far as the store has them. */
function callsOf(store: Store): readonly AbortableCall[] {
  const { inbox } = store
  const command = { type: 'cancel' as const, reason: { kind: 'user' as const } }
  const journal: AbortableCall[] = [
    options => store.append({ ...begin, runId: 'new' }, options),
    options => store.append({ ...begin, expectedSeq: 2, entries: [saidEntry('more', { seq: 3 })] }, options),
    options => store.read('r', options),
    options => store.run('r', options),
    options => store.runs({ scope: 'scope' }, options),
    options => store.claim({ runId: 'r', worker: 'other', at: 0 }, options),
    options => store.heartbeat({ worker: 'w', at: 0, ttlMs: 1_000 }, options),
    ...(store.prune === undefined
      ? []
      : [(options: StoreCallOptions) => store.prune?.({ scope: 'scope', before: 9e9 }, options)]),
    ...(store.watch === undefined ? [] : [(options: StoreCallOptions) => store.watch?.(() => {}, options)]),
  ]
  const inboxCalls: AbortableCall[] =
    inbox === undefined
      ? []
      : [
          options => inbox.put({ runId: 'r', id: 'i', at: 1, command }, options),
          options => inbox.read('r', options),
          options => inbox.watch(() => {}, options),
        ]
  return [...journal, ...inboxCalls]
}

const begin = {
  runId: 'r',
  expectedSeq: 0,
  worker: 'w',
  fence: 1,
  entries: [startedEntry(), saidEntry('one', { seq: 2 })],
}

import type { Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { startedEntry } from './sample-entry.ts'

const first = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0 }

type Call = (store: Store, id: string) => Promise<unknown> | undefined

const CALLS: readonly (readonly [path: string, call: string, make: Call])[] = [
  ['runId', 'append', (store, runId) => store.append({ ...first, runId, entries: [startedEntry()] })],
  ['worker', 'append', (store, worker) => store.append({ ...first, worker, entries: [startedEntry()] })],
  ['sessionId', 'append', (store, sessionId) => store.append({ ...first, entries: [startedEntry({ sessionId })] })],
  ['scope', 'append', (store, scope) => store.append({ ...first, entries: [startedEntry({ scope })] })],
  ['agent', 'append', (store, agent) => store.append({ ...first, entries: [startedEntry({ agent })] })],
  ['sessionHead', 'append', (store, sessionHead) => store.append({ ...first, sessionHead, entries: [startedEntry()] })],
  ['id', 'read', (store, id) => store.read(id)],
  ['id', 'run', (store, id) => store.run(id)],
  ['scope', 'runs', (store, scope) => store.runs({ scope })],
  ['sessionId', 'runs', (store, sessionId) => store.runs({ scope: 's', sessionId })],
  ['runId', 'claim', (store, runId) => store.claim({ runId, worker: 'w', at: 1 })],
  ['worker', 'claim', (store, worker) => store.claim({ runId: 'r', worker, at: 1 })],
  ['worker', 'heartbeat', (store, worker) => store.heartbeat({ worker, at: 1, ttlMs: 1 })],
  ['scope', 'prune', (store, scope) => store.prune?.({ scope, before: 1 })],
  [
    'id',
    'inbox.put',
    (store, id) => store.inbox?.put({ runId: 'r', id, at: 1, command: { type: 'cancel', reason: { kind: 'user' } } }),
  ],
  ['id', 'inbox.read', (store, id) => store.inbox?.read(id)],
  [
    'sessionId',
    'artifacts.put',
    (store, sessionId) =>
      ofPart(store.artifacts, async artifacts =>
        artifacts.put({ scope: 's', sessionId }, { text: 't', tool: 't', callId: 'c' }),
      ),
  ],
  [
    'id',
    'artifacts.get',
    (store, id) => ofPart(store.artifacts, async artifacts => artifacts.get({ scope: 's', sessionId: 's' }, id)),
  ],
  ['id', 'notes.put', (store, id) => store.notes?.put({ scope: 's', id, at: 1, text: 't' })],
  ['scope', 'notes.search', (store, scope) => store.notes?.search({ scope, query: 't' })],
  ['name', 'workflows.put', (store, name) => store.workflows?.put({ scope: 's', name, at: 1, definition: {} })],
  ['id', 'deadLetters.get', (store, id) => store.deadLetters?.get(id)],
  ['subscriber', 'deadLetters.list', (store, subscriber) => store.deadLetters?.list({ subscriber })],
]

/** Calls a part of a store, if it has the part. Its methods may be synchronous. */
function ofPart<TPart>(part: TPart | undefined, call: (part: TPart) => Promise<unknown>): Promise<unknown> | undefined {
  return part === undefined ? undefined : call(part)
}

/** Tests that every store refuses the same ids and names. */
export function describeIdentifiers(open: () => Promise<Store>): void {
  describe('ids and names', () => {
    it.each(CALLS)('a %s that a database cannot keep is refused by %s with request-invalid', async (path, _, make) => {
      await using store = await open()
      for (const id of ['a\0b', 'a\ud800']) {
        const call = make(store, id)
        // A store may lack a part.
        if (call === undefined) return
        await expect(call).rejects.toMatchObject({ info: { code: 'request-invalid', path } })
      }
    })

    it('ids and names of any other characters are kept', async () => {
      await using store = await open()
      const odd = ` "'%_\\\u{1f600}\u0001\r\n\u0085é`
      await store.append({ ...first, runId: odd, entries: [startedEntry({ sessionId: odd, scope: odd, agent: odd })] })
      expect(await store.run(odd)).toMatchObject({ runId: odd, sessionId: odd, scope: odd, agent: odd })
      expect(await store.runs({ scope: odd, sessionId: odd })).toHaveLength(1)
    })
  })
}

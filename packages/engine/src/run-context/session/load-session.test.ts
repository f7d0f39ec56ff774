import { userMessage, ZERO_USAGE, type Entry } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { expect, it } from 'vitest'
import { loadSession } from './load-session.ts'

const identity = { agent: 'a', model: 'p/m', sessionId: 's', scope: 'default', relation: 'initial' as const }
const begun: readonly Entry[] = [
  { v: 1, seq: 1, at: 1, type: 'run.started', ...identity },
  { v: 1, seq: 2, at: 1, type: 'message.appended', source: 'input', message: userMessage('hi') },
]
const outcome = { status: 'completed', finish: 'stop' } as const
const ended: Entry = { v: 1, seq: 3, at: 2, type: 'run.ended', outcome, usage: ZERO_USAGE }
const suspended: Entry = { v: 1, seq: 3, at: 2, type: 'run.suspended', approvals: [] }

const query = { sessionId: 's', scope: 'default' }

async function storeWith(entries: readonly Entry[]) {
  const store = createMemoryStore()
  if (entries.length > 0) await store.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 0, entries })
  return store
}

it('the next run of a session continues its last run', async () => {
  expect(await loadSession(await storeWith([...begun, ended]), query)).toMatchObject({
    relation: 'continue',
    messages: [userMessage('hi')],
    at: { runId: 'r', seq: 3 },
    sessionHead: 'r',
  })
})

it('the first run of a session requires that the session is still empty', async () => {
  const first = { relation: 'initial', messages: [], sessionHead: null }
  expect(await loadSession(await storeWith([]), query)).toEqual(first)
  expect(await loadSession(await storeWith([...begun, ended]), { ...query, scope: 'other' })).toEqual(first)
})

it.each([
  ['running', begun],
  ['suspended', [...begun, suspended]],
])('a session whose last run is %s takes no other run', async (_, entries) => {
  await expect(loadSession(await storeWith(entries), query)).rejects.toMatchObject({
    info: { code: 'session-busy', sessionId: 's', runId: 'r' },
  })
})

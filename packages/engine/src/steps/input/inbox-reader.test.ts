import { userMessage, type Entry, type InboxItem, type RunFacts, type RunInbox } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { initialState } from '../../journal/run-state.ts'
import type { RunContext } from '../../run-context/run-context.ts'
import { RunJournal } from '../../run-context/run-journal.ts'
import { InboxReader } from './inbox-reader.ts'

const facts: RunFacts = { runId: 'r', sessionId: 's', agent: 'a', scope: 'default', path: [] }

/** A run in a store, and the queue entries of its journal. */
async function openRun() {
  const store = createMemoryStore()
  const feed = { publish: () => {} }
  const target = { store, worker: 'w', fence: 1 }
  const journal = new RunJournal({ facts, clock: fakeClock(), state: initialState(), target, feed })
  journal.record({ type: 'run.started', agent: 'a', model: 'm', sessionId: 's', scope: 'default', relation: 'initial' })
  await journal.commit()
  const run = {
    facts,
    journal,
    agent: { definition: {} },
    policy: { queue: { capacity: 10, onFull: 'refuse' } },
    get state() {
      return journal.state
    },
  } as unknown as RunContext
  const inbox = store.inbox as RunInbox
  const put = (id: string): Promise<unknown> =>
    inbox.put({ runId: 'r', id, at: 0, command: { type: 'message', kind: 'steering', message: userMessage(id) } })
  const queued = async (): Promise<readonly string[]> =>
    (await store.read('r')).flatMap((entry: Entry) => (entry.type === 'input.queued' ? [entry.queueId] : []))
  return { run, inbox, put, queued }
}

it('a command that the store returns again is taken once', async () => {
  const { run, inbox, put, queued } = await openRun()
  await put('one')
  const outdated = await inbox.read('r')
  const reader = new InboxReader(run, { ...inbox, read: async () => outdated })
  await reader.take()
  await reader.take()
  expect(await queued()).toEqual(['one'])
})

it('a command that was recorded is taken from the store', async () => {
  const { run, inbox, put, queued } = await openRun()
  for (const id of ['one', 'two']) await put(id)
  await new InboxReader(run, inbox).take()
  expect(await queued()).toEqual(['one', 'two'])
  expect(await inbox.read('r')).toEqual([])
})

it('a command that arrives while the inbox is read is taken by the same call', async () => {
  const { run, inbox, put, queued } = await openRun()
  const gate = Promise.withResolvers<readonly InboxItem[]>()
  let reads = 0
  const read = (runId: string): Promise<readonly InboxItem[]> => (++reads === 1 ? gate.promise : inbox.read(runId))
  const reader = new InboxReader(run, { ...inbox, read })
  const first = reader.take()
  await put('late')
  const second = reader.take()
  gate.resolve([])
  await Promise.all([first, second])
  expect(await queued()).toEqual(['late'])
})

import { ParleyError, ZERO_USAGE, userMessage, type Entry, type RunFacts, type Store } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock } from '@parley/testing'
import { expect, it } from 'vitest'
import { initialState } from '../journal/run-state.ts'
import { RunJournal, type EntryBody } from './run-journal.ts'

const facts: RunFacts = { runId: 'r', sessionId: 's', agent: 'a', scope: 'default', path: [] }
const identity = { agent: 'a', model: 'm', sessionId: 's', scope: 'default' }
const started: EntryBody = { type: 'run.started', relation: 'initial', ...identity }
const suspended: EntryBody = { type: 'run.suspended', approvals: [] }
const said: EntryBody = { type: 'message.appended', source: 'input', message: userMessage('hi') }

function journalOn(store: Store) {
  const shown: Entry['type'][] = []
  const feed = { publish: ({ type }: Entry) => void shown.push(type) }
  const target = { store, worker: 'w', fence: 1 }
  return { shown, journal: new RunJournal({ facts, clock: fakeClock(), state: initialState(), target, feed }) }
}

it('without a store, a journal leaves the state with which it begins as it is', () => {
  const state = initialState()
  const feed = { publish() {} }
  const journal = new RunJournal({ facts, clock: fakeClock(), state, feed })
  const base = initialState([userMessage('before')])
  journal.rebase(base, undefined)
  for (const body of [started, said]) journal.record(body)
  expect(journal.state).toMatchObject({ seq: 2, transcript: { length: 2 } })
  expect([state, base]).toEqual([initialState(), initialState([userMessage('before')])])
})

it('a commit after a failed append rejects, so that nothing follows the lost entries', async () => {
  let fails = 1
  const store = createMemoryStore()
  const failing: Store = {
    ...store,
    append: async append => {
      if (fails-- > 0) throw new ParleyError({ code: 'store-unavailable', store: 'x', detail: 'y' })
      await store.append(append)
    },
  }
  const { journal, shown } = journalOn(failing)
  journal.record(started)
  await expect(journal.commit()).rejects.toMatchObject({ code: 'store-unavailable' })
  await expect(journal.commit()).rejects.toMatchObject({ code: 'store-unavailable' })
  await expect(journal.whileOpen(() => journal.record(said))).rejects.toMatchObject({ code: 'store-unavailable' })
  expect(await store.read('r')).toEqual([])
  expect(shown).toEqual([])
})

it('a command that arrives while a terminal entry is written is not recorded after it', async () => {
  const { journal, shown } = journalOn(createMemoryStore())
  journal.record(started)
  const concluding = journal.conclude(suspended)
  expect(await journal.whileOpen(() => journal.record(said))).toBe(false)
  expect(await concluding).toBe(true)
  expect(shown).toEqual(['run.started', 'run.suspended'])
})

it('a command that arrives while the store refuses a terminal entry is recorded', async () => {
  const store = createMemoryStore()
  const { journal, shown } = journalOn(store)
  journal.record(started)
  await journal.commit()
  await store.inbox?.put({ runId: 'r', id: 'i', at: 0, command: { type: 'cancel', reason: { kind: 'user' } } })
  const concluding = journal.conclude(suspended)
  expect(await journal.whileOpen(() => journal.record(said))).toBe(true)
  expect(await concluding).toBe(false)
  await journal.commit()
  journal.record(said)
  await journal.commit()
  expect(shown).toEqual(['run.started', 'message.appended', 'message.appended'])
})

it('readers see an entry only after the store has it', async () => {
  const kept = createMemoryStore()
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const slow: Store = {
    ...kept,
    append: async append => {
      reached.resolve()
      await gate.promise
      await kept.append(append)
    },
  }
  const { journal, shown } = journalOn(slow)
  journal.record(started)
  const committing = journal.commit()
  await reached.promise
  expect(shown).toEqual([])
  gate.resolve()
  await committing
  expect(shown).toEqual(['run.started'])
})

it('the state has no terminal entry that the store refused', async () => {
  const store = createMemoryStore()
  const { journal } = journalOn(store)
  journal.record(started)
  await journal.commit()
  await store.inbox?.put({ runId: 'r', id: 'i', at: 0, command: { type: 'cancel', reason: { kind: 'user' } } })
  const outcome = { status: 'completed' as const, finish: 'stop' as const }
  expect(await journal.conclude({ type: 'run.ended', outcome, usage: ZERO_USAGE })).toBe(false)
  expect(journal.state).toMatchObject({ seq: 1, outcome: undefined })
})

it('the append that makes the entries of a command durable marks the command as taken', async () => {
  const store = createMemoryStore()
  const { journal } = journalOn(store)
  journal.record(started)
  await journal.commit()
  await store.inbox?.put({ runId: 'r', id: 'i', at: 0, command: { type: 'cancel', reason: { kind: 'user' } } })
  await journal.whileOpen(() => journal.record(said), 1)
  expect(await store.inbox?.read('r')).toHaveLength(1)
  await journal.commit()
  expect(await store.inbox?.read('r')).toEqual([])
})

it('a command stays taken when the store refuses its append because of another command', async () => {
  const store = createMemoryStore()
  const { journal } = journalOn(store)
  journal.record(started)
  await journal.commit()
  const command = { type: 'cancel' as const, reason: { kind: 'user' as const } }
  for (const id of ['first', 'second']) await store.inbox?.put({ runId: 'r', id, at: 0, command })
  await journal.whileOpen(() => journal.record(said), 1)
  expect(await journal.conclude(suspended)).toBe(false)
  await journal.commit()
  expect((await store.inbox?.read('r'))?.map(({ id }) => id)).toEqual(['second'])
})

it('a run that fails keeps what the entries spent that the store refused', async () => {
  const store = createMemoryStore()
  let fails = false
  const failing: Store = {
    ...store,
    append: async append => {
      if (fails) throw new TypeError('not writable')
      await store.append(append)
    },
  }
  const { journal } = journalOn(failing)
  journal.record(started)
  await journal.commit()
  const usage = { ...ZERO_USAGE, input: 10 }
  journal.record({ type: 'model.called', turn: 1, model: 'm', finish: 'stop', usage, durationMs: 1 })
  fails = true
  await expect(journal.commit()).rejects.toThrow('not writable')
  fails = false
  await journal.fail({ code: 'internal', detail: 'x' }, undefined)
  const ended = (await store.read('r')).at(-1)
  expect(ended).toMatchObject({ type: 'run.ended', outcome: { status: 'failed' }, usage: { input: 10 } })
})

const cancel = { type: 'cancel' as const, reason: { kind: 'user' as const } }

it('an entry that is recorded after a terminal entry follows in its place if the store refuses the terminal entry', async () => {
  const store = createMemoryStore()
  const { journal, shown } = journalOn(store)
  journal.record(started)
  await journal.commit()
  await store.inbox?.put({ runId: 'r', id: 'i', at: 0, command: cancel })
  const concluding = journal.conclude(suspended)
  journal.record(said)
  expect(await concluding).toBe(false)
  await journal.commit()
  expect(shown).toEqual(['run.started', 'message.appended'])
  expect(journal.state).toMatchObject({ seq: 2, transcript: { length: 1 } })
})

it('entries that are recorded while the store refuses a terminal entry follow the entries before it', async () => {
  const kept = createMemoryStore()
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let isSlow = false
  const slow: Store = {
    ...kept,
    append: async append => {
      if (isSlow) {
        reached.resolve()
        await gate.promise
      }
      await kept.append(append)
    },
  }
  const { journal, shown } = journalOn(slow)
  journal.record(started)
  await journal.commit()
  await kept.inbox?.put({ runId: 'r', id: 'i', at: 0, command: cancel })
  isSlow = true
  journal.record(said)
  const concluding = journal.conclude(suspended)
  await reached.promise
  journal.record({ type: 'instructions.evaluated', agent: 'a', text: 'late' })
  gate.resolve()
  expect(await concluding).toBe(false)
  await journal.commit()
  expect(shown).toEqual(['run.started', 'message.appended', 'instructions.evaluated'])
  expect((await kept.read('r')).map(({ seq, type }) => [seq, type])).toEqual(
    shown.map((type, index) => [index + 1, type]),
  )
})

it('a journal that is abandoned writes nothing more, and does not fail its run', async () => {
  const store = createMemoryStore()
  const { journal, shown } = journalOn(store)
  journal.record(started)
  const committing = journal.commit()
  journal.abandon('closed')
  await expect(committing).rejects.toBe('closed')
  await expect(journal.fail({ code: 'internal', detail: 'x' }, undefined)).rejects.toBe('closed')
  expect([journal.isBroken, await store.read('r'), shown]).toEqual([true, [], []])
})

it('a run that fails takes the commands that it does not read', async () => {
  const store = createMemoryStore()
  const { journal } = journalOn(store)
  journal.record(started)
  await journal.commit()
  await store.inbox?.put({ runId: 'r', id: 'i', at: 0, command: cancel })
  await journal.fail({ code: 'internal', detail: 'x' }, 1)
  expect((await store.run('r'))?.status).toBe('failed')
  expect(await store.inbox?.read('r')).toEqual([])
})

it('a run that fails keeps what its child runs spent that the store refused', async () => {
  const store = createMemoryStore()
  let fails = false
  const failing: Store = {
    ...store,
    append: async append => {
      if (fails) throw new TypeError('not writable')
      await store.append(append)
    },
  }
  const { journal } = journalOn(failing)
  journal.record(started)
  const content = [{ type: 'tool-call' as const, callId: 'c', name: 'b', arguments: '{}' }]
  const message = { role: 'assistant' as const, model: 'm', finish: 'tool-calls' as const, content }
  journal.record({ type: 'message.appended', source: 'model', message })
  journal.record({ type: 'agent.started', callId: 'c', key: '#0', childRunId: 'child', agent: 'b' })
  await journal.commit()
  const usage = { ...ZERO_USAGE, output: 7 }
  const outcome = { status: 'completed' as const, finish: 'stop' as const }
  journal.record({ type: 'agent.ended', callId: 'c', childRunId: 'child', outcome, text: 'x', usage, turns: 1 })
  fails = true
  await expect(journal.commit()).rejects.toThrow('not writable')
  fails = false
  await journal.fail({ code: 'internal', detail: 'x' }, undefined)
  expect((await store.read('r')).at(-1)).toMatchObject({ type: 'run.ended', usage: { output: 7 } })
})

it.each([
  ['none before the first append', undefined, 'none'],
  [
    'refused if the store refuses the first append',
    { code: 'session-busy', sessionId: 's', runId: 'other' },
    'refused',
  ],
  [
    'unknown if the store does not answer the first append',
    { code: 'store-unavailable', store: 'x', detail: 'y' },
    'unknown',
  ],
] as const)('what the store has of a run is %s', async (_, info, stored) => {
  const store = createMemoryStore()
  const { journal } = journalOn({
    ...store,
    append: () => Promise.reject(new ParleyError(info ?? { code: 'internal', detail: '' })),
  })
  journal.record(started)
  if (info !== undefined) await expect(journal.commit()).rejects.toMatchObject({ info })
  expect(journal.stored).toBe(stored)
})

it('the store has entries of a run once an append has succeeded, also if a later one fails', async () => {
  const store = createMemoryStore()
  const { journal } = journalOn(store)
  journal.record(started)
  await journal.commit()
  await store.claim({ runId: 'r', worker: 'other', at: 0 })
  journal.record(said)
  await expect(journal.commit()).rejects.toMatchObject({ code: 'store-fenced' })
  expect(journal.stored).toBe('yes')
})

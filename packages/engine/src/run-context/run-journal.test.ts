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

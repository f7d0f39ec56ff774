import { defineTool, type Entry } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { describeFork, loadRunMessages } from '../journal.ts'

/** An agent that pays once, and then repeats what the tools and the user said. */
function setUp() {
  const store = createMemoryStore()
  const paid: string[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'd',
    input: { type: 'object' },
    execute: (_, { run }) => {
      paid.push(run.runId)
      return 'paid'
    },
  })
  const look = defineTool({ ...pay, name: 'look', effect: 'read', execute: () => 'seen' })
  const script: Parameters<typeof scriptedModel>[0] = ({ messages }) => {
    const heard = messages.flatMap(({ role, content }) =>
      role === 'tool' ? content.map(part => ('text' in part ? part.text : '')) : [],
    )
    if (heard.length === 0) return { toolCalls: [{ name: 'pay', callId: 'p' }] }
    if (heard.length === 1) return { toolCalls: [{ name: 'look', callId: 'l' }] }
    return `heard ${heard.join(' and ')}`
  }
  const agents = [defineAgent({ name: 'a', model: scriptedModel(script), tools: [pay, look] })]
  const models = { other: scriptedModel(() => 'other here', { id: 'other' }) }
  const open = () => createRuntime({ store, agents, models, clock: fakeClock() })
  return { store, paid, open, runtime: open() }
}

const seqOf = (entries: readonly Entry[], type: Entry['type'], nth = 0): number =>
  entries.filter(entry => entry.type === type)[nth]?.seq ?? 0

describe('a fork with changes', () => {
  it('a fork reads the replaced result of a call, and no kept call runs again', async () => {
    const { runtime, store, paid } = setUp()
    const { runId } = await runtime.run('a', 'go').orThrow()
    const before = await store.read(runId)
    const at = seqOf(before, 'tool.ended')
    const results = [{ callId: 'p', content: 'declined', isError: true }]
    const fork = await runtime.fork(runId, { at, results })
    expect((await fork.orThrow()).text).toBe('heard declined and seen')
    expect(paid).toEqual([runId])
    expect(await store.read(runId)).toEqual(before)
    const located = await loadRunMessages(store, fork.runId)
    expect(located.map(({ message }) => message)).toEqual(await runtime.transcript(fork.runId))
    expect(located[2]).toMatchObject({ message: { callId: 'p', isError: true }, runId: fork.runId, seq: 1 })
  })

  it('a run that continues a fork, and a fork of a fork, have the replaced result too', async () => {
    const { runtime, store, open } = setUp()
    const { runId } = await runtime.run('a', 'go').orThrow()
    const at = seqOf(await store.read(runId), 'tool.ended', 1)
    const fork = await runtime.fork(runId, { at, results: [{ callId: 'l', content: 'nothing' }], sessionId: 'f' })
    expect((await fork.orThrow()).text).toBe('heard paid and nothing')
    const next = await open().run('a', 'again', { sessionId: 'f' }).orThrow()
    expect(next.text).toBe('heard paid and nothing')
    const second = await runtime.fork(fork.runId, {
      at: 1,
      results: [{ callId: 'p', content: 'free' }],
      sessionId: 'g',
    })
    expect((await second.orThrow()).text).toBe('heard free and nothing')
  })

  it('a fork refuses a result for a call that the transcript does not have', async () => {
    const { runtime, store } = setUp()
    const { runId } = await runtime.run('a', 'go').orThrow()
    const results = [{ callId: 'l', content: 'x' }]
    const fork = runtime.fork(runId, { at: seqOf(await store.read(runId), 'tool.ended'), results })
    await expect(fork).rejects.toThrow("results.0: names the call 'l', which the transcript up to entry")
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('a fork asks another model, and a resumed fork asks that model too', async () => {
    const { runtime, store, open } = setUp()
    const { runId } = await runtime.run('a', 'go').orThrow()
    const fork = await runtime.fork(runId, { at: 2, model: 'other' })
    expect((await fork.orThrow()).text).toBe('other here')
    const entries = await store.read(fork.runId)
    expect(entries[0]).toMatchObject({ model: 'scripted/other', chosenModel: 'other' })
    const copy = createMemoryStore()
    const whole = { runId, expectedSeq: 0, worker: 'w', fence: 1, entries: await store.read(runId) }
    await copy.append(whole)
    await copy.append({ ...whole, runId: fork.runId, entries: entries.slice(0, 1) })
    const { agents } = runtime
    const models = { other: scriptedModel(() => 'resumed', { id: 'other' }) }
    const next = createRuntime({ store: copy, agents: agents.list(), models, clock: fakeClock() })
    expect((await (await next.resume(fork.runId)).orThrow()).text).toBe('resumed')
    await expect(open().fork(runId, { at: 2, model: 'none' })).rejects.toMatchObject({
      info: { code: 'model-unknown' },
    })
  })
})

describe('describeFork', () => {
  it('describeFork tells which calls are kept, replaced, open and may run again, and changes nothing', async () => {
    const { runtime, store } = setUp()
    const { runId } = await runtime.run('a', 'go').orThrow()
    const entries = await store.read(runId)
    const pay = { callId: 'p', name: 'pay', effect: 'once', seq: seqOf(entries, 'tool.ended') }
    const look = { callId: 'l', name: 'look', effect: 'read', seq: seqOf(entries, 'tool.ended', 1) }
    const none = { kept: [], replaced: [], open: [], again: [] }
    const planOf = (at: number, given: object = {}) => describeFork(store, runId, { at, ...given })
    const results = [{ callId: 'p', content: 'x' }]
    expect(await planOf(pay.seq)).toEqual({ ...none, at: pay.seq, needsInput: false, kept: [pay], again: [look] })
    expect(await planOf(pay.seq, { results })).toMatchObject({ ...none, replaced: [pay], again: [look] })
    expect(await planOf(pay.seq - 1)).toMatchObject({ ...none, open: [{ callId: 'p', effect: 'once' }], again: [look] })
    expect(await planOf(2)).toEqual({ ...none, at: 2, needsInput: false, again: [pay, look] })
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('describeFork says why a fork is refused, also for a run that is unfinished', async () => {
    const { runtime, store } = setUp()
    const { runId } = await runtime.run('a', 'go').orThrow()
    const end = (await store.read(runId)).length
    expect(await describeFork(store, runId)).toMatchObject({
      needsInput: true,
      refusal: expect.stringContaining('input: is missing'),
    })
    expect(await describeFork(store, runId, { input: 'x' })).not.toHaveProperty('refusal')
    expect(await describeFork(store, runId, { at: end + 1 })).toMatchObject({
      refusal: `at: is ${end + 1}, the run has the entries 1 to ${end}`,
    })
    await expect(describeFork(store, 'x')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
  })
})

import { defineTool, systemClock, ZERO_USAGE, type Entry, type RunEvent, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'
import { followJournal } from './follow-journal.ts'

const STARTED: Entry = {
  v: 1,
  seq: 1,
  at: 1,
  type: 'run.started',
  agent: 'a',
  model: 'm',
  scope: 'default',
  relation: 'initial',
  sessionId: 's',
}
const ENDED: Entry = {
  v: 1,
  seq: 2,
  at: 2,
  type: 'run.ended',
  outcome: { status: 'completed', finish: 'stop' },
  usage: ZERO_USAGE,
}

async function typesOf(store: Store, afterSeq: number): Promise<readonly string[]> {
  const types: string[] = []
  for await (const entries of followJournal(store, { runId: 'r', afterSeq, clock: systemClock, signal: undefined }))
    types.push(...entries.map(({ type }) => type))
  return types
}

/** A process that drives a run whose tool waits for `release`, and a second process that watches. */
function setup(store: Store = createMemoryStore()) {
  const gate = Promise.withResolvers<void>()
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    input: { type: 'object' },
    execute: async () => {
      await gate.promise
      return 'waited'
    },
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'wait' }] }, 'Done.'])
  const driver = createRuntime({
    store,
    clock: fakeClock(),
    agents: [defineAgent({ name: 'a', model, tools: [wait] })],
  })
  const clock = fakeClock()
  return { driver, clock, looker: createRuntime({ store, clock }), release: gate.resolve }
}

async function started(store: Store, runId: string): Promise<void> {
  while (!(await store.read(runId)).some(entry => entry.type === 'tool.started')) await new Promise(setImmediate)
}

describe('following a run that another process drives', () => {
  it('following a run shows past and future entries until the end', async () => {
    const store = createMemoryStore()
    const { driver, looker, release } = setup(store)
    const run = driver.run('a', 'go')
    await started(store, run.runId)
    const seen: RunEvent['type'][] = []
    for await (const { type } of looker.replay(run.runId, { follow: true })) {
      seen.push(type)
      if (type === 'tool.started') release()
    }
    expect(seen).toEqual((await store.read(run.runId)).map(({ type }) => type))
    expect(seen.at(-1)).toBe('run.ended')
  })

  it('following continues after the entry that the reader has seen last', async () => {
    const { driver, looker, release } = setup()
    release()
    const run = driver.run('a', 'go')
    await run.result
    const read = async (afterSeq: number): Promise<number[]> => {
      const seen: number[] = []
      for await (const { seq } of looker.replay(run.runId, { follow: true, afterSeq })) seen.push(seq)
      return seen
    }
    const all = await read(0)
    expect(await read(3)).toEqual(all.slice(3))
    expect(await read(all.length)).toEqual([])
  })

  it('following polls a store that cannot notify', async () => {
    const { watch: _watch, ...store } = createMemoryStore()
    const { driver, looker, clock, release } = setup(store)
    const run = driver.run('a', 'go')
    await started(store, run.runId)
    const reading = (async () => {
      let last = ''
      for await (const { type } of looker.replay(run.runId, { follow: true })) last = type
      return last
    })()
    await clock.advance(250)
    release()
    await run.result
    await clock.advance(250)
    expect(await reading).toBe('run.ended')
    expect(clock.pending).toBe(0)
  })

  it('following ends when its signal is aborted and when the reader leaves', async () => {
    const store = createMemoryStore()
    const { driver, looker, clock } = setup(store)
    const run = driver.run('a', 'go')
    await started(store, run.runId)
    const controller = new AbortController()
    for await (const { type } of looker.replay(run.runId, { follow: true, signal: controller.signal })) {
      if (type === 'tool.started') controller.abort()
    }
    for await (const { type } of looker.replay(run.runId, { follow: true })) if (type === 'tool.started') break
    expect(clock.pending).toBe(0)
  })

  it('following a run shows the last entry of a run that ends between the read of its entries and the read of its status', async () => {
    const inner = createMemoryStore()
    const append = { runId: 'r', worker: 'w', fence: 1 }
    await inner.append({ ...append, expectedSeq: 0, entries: [STARTED] })
    const store: Store = {
      ...inner,
      run: async (runId, options) => {
        await inner.append({ ...append, expectedSeq: 1, entries: [ENDED] }).catch(() => {})
        return inner.run(runId, options)
      },
    }
    expect(await typesOf(store, 1)).toEqual(['run.ended'])
  })

  it('following an ended run from its last entry shows nothing', async () => {
    const store = createMemoryStore()
    await store.append({ runId: 'r', worker: 'w', fence: 1, expectedSeq: 0, entries: [STARTED, ENDED] })
    expect(await typesOf(store, 2)).toEqual([])
  })
})

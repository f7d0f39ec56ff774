import { defineTool, type Store } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type RuntimeOptions } from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'

/** A process over `store` whose agent hangs in its first call or ends at once. */
function processOn(
  store: Store,
  worker: string,
  options: { hangs?: boolean; clock?: ReturnType<typeof fakeClock> } & RuntimeOptions = {},
) {
  const { hangs = false, clock = fakeClock(), ...rest } = options
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    input: { type: 'object' },
    effect: 'read',
    execute: () => (hangs ? new Promise<string>(() => {}) : 'waited'),
  })
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    input: { type: 'object' },
    permission: { effect: 'ask', expiresInMs: 60_000 },
    execute: () => 'asked',
  })
  const model = scriptedModel(({ messages }) => {
    const first = JSON.stringify(messages[0])
    return messages.length === 1
      ? { toolCalls: [{ name: first.includes('ask') ? 'ask' : 'wait' }] }
      : `${worker} ends it.`
  })
  const agents = [defineAgent({ name: 'a', model, tools: [wait, ask] })]
  return { clock, runtime: createRuntime({ store, worker, clock, agents, leaseMs: 9_000, ...rest }) }
}

async function statuses(store: Store, scope = 'default'): Promise<readonly string[]> {
  return (await store.runs({ scope })).map(({ status }) => status)
}

describe('runtime.resumeAll', () => {
  it('resumeAll resumes only runs that a dead process left, oldest first', async () => {
    const store = createMemoryStore()
    const dead = processOn(store, 'dead', { hangs: true })
    const first = dead.runtime.run('a', 'go')
    await dead.clock.advance(10)
    const second = dead.runtime.run('a', 'go')
    dead.runtime.run('a', 'go', { scope: 'other' })
    await dead.clock.advance(10)
    const next = processOn(store, 'next')
    await next.clock.advance(60_000)
    const { runs, left } = await next.runtime.resumeAll()
    expect(runs.map(({ runId }) => runId)).toEqual([first.runId, second.runId])
    expect(left).toEqual([])
    for (const run of runs) expect(await run.result).toMatchObject({ status: 'completed', text: 'next ends it.' })
    expect(await statuses(store, 'other')).toEqual(['running'])
    expect(await next.runtime.resumeAll()).toEqual({ runs: [], left: [] })
  })

  it('resumeAll leaves runs of a live worker and runs of unknown agents', async () => {
    const store = createMemoryStore()
    const live = processOn(store, 'live', { hangs: true })
    const run = live.runtime.run('a', 'go')
    await live.clock.advance(10)
    expect(await live.runtime.resumeAll()).toEqual({ runs: [], left: [] })
    const next = processOn(store, 'next')
    expect((await next.runtime.resumeAll()).left).toEqual([
      {
        runId: run.runId,
        error: { code: 'run-busy', runId: run.runId, worker: 'live', aliveUntil: expect.any(Number) as number },
      },
    ])
    const stranger = createRuntime({ store, clock: next.clock })
    await next.clock.advance(60_000)
    expect((await stranger.resumeAll()).left).toMatchObject([{ runId: run.runId, error: { code: 'agent-unknown' } }])
    expect(await createRuntime().resumeAll()).toEqual({ runs: [], left: [] })
  })

  it('resumeAll resumes released runs and wakes suspended runs when their time is up', async () => {
    const store = createMemoryStore()
    const old = processOn(store, 'old', { hangs: true, onClose: 'suspend' })
    const letGo = old.runtime.run('a', 'go')
    const asking = old.runtime.run('a', 'ask me')
    expect((await asking.result).status).toBe('suspended')
    const closing = old.runtime.close({ drainMs: 0 })
    await old.clock.advance(10_000)
    await closing
    const next = processOn(store, 'next')
    const { runs } = await next.runtime.resumeAll()
    expect(runs.map(({ runId }) => runId)).toEqual([letGo.runId])
    expect((await store.run(asking.runId))?.status).toBe('suspended')
    await next.clock.advance(60_000)
    expect((await store.run(asking.runId))?.status).toBe('completed')
    expect(JSON.stringify(await store.read(asking.runId))).toContain('timed-out')
  })

  it('resumeAll reads the last entry of a suspended run once, and sees a decision that arrives later', async () => {
    const store = createMemoryStore()
    const old = processOn(store, 'old')
    const asking = Array.from({ length: 20 }, () => old.runtime.run('a', 'ask me'))
    for (const { result } of asking) expect((await result).status).toBe('suspended')
    const read: string[] = []
    const counting: Store = {
      ...store,
      read: (runId, options) => {
        read.push(runId)
        return store.read(runId, options)
      },
    }
    const next = processOn(counting, 'next', { clock: old.clock })
    expect(await next.runtime.resumeAll()).toEqual({ runs: [], left: [] })
    expect(read.toSorted()).toEqual(asking.map(({ runId }) => runId).toSorted())
    read.length = 0
    expect(await next.runtime.resumeAll()).toEqual({ runs: [], left: [] })
    expect(read).toEqual([])
    const [decided] = asking
    const { runId = '' } = decided ?? {}
    await store.inbox?.put({ runId, id: 'i', at: 0, command: { type: 'cancel', reason: { kind: 'user' } } })
    const { runs } = await next.runtime.resumeAll()
    expect(runs.map(run => run.runId)).toEqual([runId])
    expect(await runs[0]?.result).toMatchObject({ status: 'cancelled' })
  })
})

const MESSAGE = {
  type: 'message' as const,
  kind: 'steering' as const,
  message: { role: 'user' as const, content: [{ type: 'text' as const, text: 'and more' }] },
}
const CANCEL = { type: 'cancel' as const, reason: { kind: 'user' as const } }

describe('runtime.resumeAll and the inbox of a suspended run', () => {
  it.each([
    ['a message alone', [MESSAGE], 0],
    ['a cancel', [CANCEL], 1],
    ['a message before a cancel', [MESSAGE, CANCEL], 1],
  ])('resumeAll wakes a run suspended for approval only for a decision or a cancel: %s', async (_, commands, woken) => {
    const store = createMemoryStore()
    const old = processOn(store, 'old')
    const { runId, result } = old.runtime.run('a', 'ask me')
    expect((await result).status).toBe('suspended')
    for (const [index, command] of commands.entries())
      await store.inbox?.put({ runId, id: `i${index}`, at: 0, command })
    const next = processOn(store, 'next', { clock: old.clock })
    const { runs, left } = await next.runtime.resumeAll()
    expect(left).toEqual([])
    expect(runs.map(run => run.runId)).toEqual(Array.from({ length: woken }, () => runId))
    for (const run of runs) expect((await run.result).status).toBe('cancelled')
    if (woken === 0) expect((await store.run(runId))?.status).toBe('suspended')
  })
})

describe('runtime.resumeAll with child runs', () => {
  /** A process whose lead has a helper that hangs or ends at once. */
  function teamOn(store: Store, { hangs = false, knowsLead = true } = {}) {
    const helperModel = scriptedModel([hangs ? { hang: true } : 'Found.'])
    const helper = defineAgent({ name: 'helper', model: helperModel })
    const leadModel = scriptedModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ name: 'helper', input: { task: 'look' } }] } : 'Done.',
    )
    const lead = defineAgent({ name: 'lead', model: leadModel, tools: [agentTool(helper)] })
    const clock = fakeClock()
    const agents = knowsLead ? [lead, helper] : [helper]
    return { clock, helperModel, runtime: createRuntime({ agents, store, clock, leaseMs: 9_000 }) }
  }

  it('resumeAll resumes a child run only with its root run, and once', async () => {
    const store = createMemoryStore()
    const dead = teamOn(store, { hangs: true })
    const { runId } = dead.runtime.run('lead', 'go')
    await dead.clock.advance(10)
    expect(await statuses(store)).toEqual(['running', 'running'])
    const stranger = teamOn(store, { knowsLead: false })
    await stranger.clock.advance(60_000)
    expect(await stranger.runtime.resumeAll()).toMatchObject({ runs: [], left: [{ runId }] })
    expect(stranger.helperModel.requests).toEqual([])
    const next = teamOn(store)
    await next.clock.advance(60_000)
    const { runs, left } = await next.runtime.resumeAll()
    expect(runs.map(run => run.runId)).toEqual([runId])
    expect(left).toEqual([])
    expect(await runs[0]?.result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(next.helperModel.requests).toHaveLength(1)
    expect(await statuses(store)).toEqual(['completed', 'completed'])
  })
})

describe('autoResume', () => {
  it('autoResume resumes runs at the start and runs that lose their process later, until close', async () => {
    const store = createMemoryStore()
    const clock = fakeClock()
    const dead = processOn(store, 'dead', { hangs: true })
    dead.runtime.run('a', 'go')
    await dead.clock.advance(10)
    await clock.advance(60_000)
    const next = processOn(store, 'next', { clock, autoResume: ['default'] })
    await clock.advance(0)
    expect(await statuses(store)).toEqual(['completed'])
    dead.runtime.run('a', 'go')
    await dead.clock.advance(10)
    expect(await statuses(store)).toEqual(['running', 'completed'])
    await clock.advance(9_000)
    expect(await statuses(store)).toEqual(['completed', 'completed'])
    await next.runtime.close()
    expect(clock.pending).toBe(0)
  })

  it('autoResume requires a store', () => {
    expect(() => createRuntime({ autoResume: ['default'] })).toThrow('autoResume')
  })
})

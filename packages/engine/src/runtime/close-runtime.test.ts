import { defineTool, type ClaimRequest, type ToolEffect, type ToolSource } from '@parley/core'
import { createEventBus } from '@parley/event-bus'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type RuntimeOptions } from '../index.ts'

const settle = () => new Promise(resolve => setImmediate(resolve))

function setup(options: Partial<RuntimeOptions> = {}, effect: ToolEffect = 'once') {
  const clock = fakeClock()
  const store = createMemoryStore()
  const gate = Promise.withResolvers<void>()
  const attempts: string[] = []
  const work = defineTool({
    name: 'work',
    description: 'd',
    input: { type: 'object' },
    effect,
    execute: (_, { signal, idempotencyKey }) => {
      attempts.push(idempotencyKey)
      return new Promise<string>((resolve, reject) => {
        void gate.promise.then(() => resolve('worked'))
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      })
    },
  })
  const model = scriptedModel(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'work' }] },
  )
  const agents = [defineAgent({ name: 'a', model, tools: [work] })]
  return { clock, store, gate, attempts, runtime: createRuntime({ clock, store, agents, ...options }) }
}

const CLEAN = { exitCode: 0, drained: 0, cancelled: 0, suspended: 0, abandoned: 0, killed: 0, errors: [] }

describe('closing a runtime', () => {
  it('close lets runs end within drainMs, rejects new runs and reports once', async () => {
    const { runtime, gate, clock } = setup()
    const run = runtime.run('a', 'go')
    await settle()
    const closing = runtime.close({ drainMs: 1_000 })
    expect(() => runtime.run('a', 'go')).toThrow('The runtime is closed')
    await expect(runtime.resume(run.runId)).rejects.toThrow('The runtime is closed')
    await expect(runtime.fork(run.runId)).rejects.toThrow('The runtime is closed')
    expect(await runtime.health()).toMatchObject({ alive: false, activeRuns: 1 })
    await clock.advance(999)
    gate.resolve()
    expect(await closing).toEqual({ ...CLEAN, drained: 1 })
    expect(await run.result).toMatchObject({ status: 'completed', text: 'done' })
    expect(await runtime.close()).toBe(await closing)
    expect(clock.pending).toBe(0)
  })

  it('close cancels the remaining runs with reason shutdown', async () => {
    const { runtime, clock, store } = setup()
    const run = runtime.run('a', 'go')
    await settle()
    const closing = runtime.close({ drainMs: 1_000 })
    await clock.advance(1_000)
    expect(await closing).toEqual({ ...CLEAN, cancelled: 1 })
    expect(await run.result).toMatchObject({ status: 'cancelled', reason: { kind: 'shutdown' } })
    expect(await store.run(run.runId)).toMatchObject({ status: 'cancelled' })
  })

  it('close rejects an invalid time and closes nothing', async () => {
    const { runtime } = setup()
    expect(() => runtime.close({ drainMs: -1 })).toThrow(
      'close.drainMs: is -1; must be a number of milliseconds not below 0',
    )
    expect(() => runtime.close({ graceMs: Number.NaN })).toThrow('close.graceMs: is NaN')
    expect(await runtime.health()).toMatchObject({ alive: true })
  })

  it('close waits 30 seconds for runs by default', async () => {
    const { runtime, clock } = setup()
    const run = runtime.run('a', 'go')
    await settle()
    const closing = runtime.close()
    await clock.advance(29_999)
    let over = false
    void run.result.then(() => (over = true))
    await settle()
    expect(over).toBe(false)
    await clock.advance(1)
    expect((await closing).cancelled).toBe(1)
  })

  it('close abandons runs that do not stop within graceMs and returns exit code 1', async () => {
    const store = createMemoryStore()
    const stuck = { ...store, append: () => new Promise<void>(() => {}) }
    const { runtime, clock } = setup({ store: stuck })
    runtime.run('a', 'go')
    await settle()
    const closing = runtime.close({ drainMs: 0, graceMs: 100 })
    await clock.advance(100)
    expect(await closing).toEqual({ ...CLEAN, exitCode: 1, abandoned: 1 })
  })

  it('close flushes the bus, then closes each resource once, the last one first', async () => {
    const order: string[] = []
    const clock = fakeClock()
    const bus = createEventBus({ clock })
    bus.subscribe(
      async ({ type }) => {
        await settle()
        if (type === 'run.ended') order.push('delivered')
      },
      { name: 'x' },
    )
    const one = { close: async () => void order.push('one') }
    const two = { [Symbol.asyncDispose]: async () => void order.push('two') }
    const three = { [Symbol.dispose]: () => void order.push('three') }
    const { runtime, gate } = setup({ clock, bus, resources: [bus, one, two, one, three] })
    gate.resolve()
    await runtime.invoke('a', 'go')
    const closing = runtime.close()
    await clock.advance(10)
    expect(await closing).toEqual(CLEAN)
    expect(order).toEqual(['delivered', 'three', 'one', 'two'])
    await runtime.close()
    expect(order).toHaveLength(4)
  })

  it('close continues when a resource fails or hangs, and counts killed processes', async () => {
    const closed: string[] = []
    const { runtime, clock } = setup({
      resources: [
        { close: async () => void closed.push('last') },
        { name: 'stuck', close: () => new Promise(() => {}) },
        { close: () => Promise.reject(new Error('broken')) },
        { close: async () => ({ outcome: 'killed' }) },
        { close: async () => ({ outcome: 'exited', exitCode: 0 }) },
        { close: async () => ({ killed: 2, servers: [] }) },
      ],
    })
    const closing = runtime.close({ graceMs: 50 })
    await clock.advance(50)
    expect(await closing).toEqual({
      ...CLEAN,
      exitCode: 1,
      killed: 3,
      errors: [
        { code: 'internal', detail: 'broken' },
        { code: 'internal', detail: "'stuck' was not closed within 50 ms" },
      ],
    })
    expect(closed).toEqual(['last'])
  })

  it('close returns exit code 1 when a process had to be killed', async () => {
    const { runtime } = setup({ resources: [{ close: async () => ({ outcome: 'killed' }) }] })
    expect(await runtime.close()).toEqual({ ...CLEAN, exitCode: 1, killed: 1 })
  })

  it('close does not wait for a bus that never becomes empty', async () => {
    const clock = fakeClock()
    const bus = createEventBus({ clock })
    bus.subscribe(() => new Promise(() => {}), { name: 'stuck' })
    const { runtime, gate } = setup({ clock, bus, resources: [bus] })
    gate.resolve()
    await runtime.invoke('a', 'go')
    const closing = runtime.close({ graceMs: 100 })
    await clock.advance(100)
    expect(await closing).toMatchObject({
      exitCode: 1,
      errors: [{ detail: 'the event bus was not empty after 100 ms' }],
    })
    expect((await bus.deadLetters.list()).map(({ reason }) => reason)).toContain('closed')
  })

  it('close lets queued runs start within drainMs and then cancels them', async () => {
    const { runtime, clock, gate } = setup({ quota: { maxConcurrentRuns: 1 } })
    const first = runtime.run('a', 'one')
    const second = runtime.run('a', 'two')
    await settle()
    const closing = runtime.close({ drainMs: 1_000 })
    gate.resolve()
    expect((await first.result).status).toBe('completed')
    expect((await second.result).status).toBe('completed')
    await clock.advance(1)
    expect(await closing).toEqual({ ...CLEAN, drained: 2 })
  })
})

describe('a runtime that suspends its runs when it closes', () => {
  for (const [effect, again] of [
    ['idempotent', true],
    ['read', true],
    ['once', false],
  ] as const) {
    it(`a released run with a running ${effect} call can be resumed by another worker at once`, async () => {
      const first = setup({ onClose: 'suspend', worker: 'first' }, effect)
      const run = first.runtime.run('a', 'go')
      const types: string[] = []
      const watching = (async () => {
        for await (const { type } of run) types.push(type)
      })()
      await settle()
      const closing = first.runtime.close({ drainMs: 10 })
      await first.clock.advance(10)
      expect(await closing).toEqual({ ...CLEAN, suspended: 1 })
      expect(await run.result).toMatchObject({ status: 'suspended', approvals: [], reason: 'shutdown' })
      await watching
      expect(types.at(-1)).toBe('run.suspended')
      expect(await first.store.run(run.runId)).toMatchObject({ status: 'suspended' })

      const second = setup({ store: first.store, worker: 'second' }, effect)
      second.gate.resolve()
      const resumed = await second.runtime.resume(run.runId)
      expect(await resumed.result).toMatchObject({ status: 'completed', text: 'done' })
      expect(second.attempts).toEqual(again ? first.attempts : [])
      const told = (await resumed.result).messages.findLast(({ role }) => role === 'tool')
      const cut = "'work' was cancelled while it ran; it may have taken partial effect."
      expect(told?.content).toEqual([{ type: 'text', text: again ? 'worked' : cut }])
    })
  }

  it('close suspends a queued run', async () => {
    const { runtime, clock, store } = setup({ onClose: 'suspend', quota: { maxConcurrentRuns: 1 } })
    const runs = [runtime.run('a', 'one'), runtime.run('a', 'two')]
    await settle()
    const closing = runtime.close({ drainMs: 10 })
    await clock.advance(10)
    expect(await closing).toEqual({ ...CLEAN, suspended: 2 })
    const entries = await store.read(runs[1]?.runId ?? '')
    expect(entries.map(({ type }) => type)).toEqual(['run.started', 'message.appended', 'run.suspended'])
  })

  it('close aborts a model call, and the resumed run repeats it', async () => {
    const clock = fakeClock()
    const store = createMemoryStore()
    const hanging = defineAgent({ name: 'a', model: scriptedModel([{ text: 'part of', hang: true }]) })
    const runtime = createRuntime({ clock, store, agents: [hanging], onClose: 'suspend' })
    const run = runtime.run('a', 'go')
    await settle()
    const closing = runtime.close({ drainMs: 10 })
    await clock.advance(10)
    await closing
    const next = createRuntime({ clock, store, agents: [defineAgent({ name: 'a', model: scriptedModel(['whole']) })] })
    expect(await (await next.resume(run.runId)).result).toMatchObject({ status: 'completed', text: 'whole' })
  })

  it('a tool source that close aborts does not fail the run', async () => {
    let slow = true
    const source: ToolSource = {
      name: 'slow',
      tools: async ({ signal } = {}) => {
        if (!slow) return []
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('source stopped'))))
        return []
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const clock = fakeClock()
    const store = createMemoryStore()
    const agents = [defineAgent({ name: 'a', model: scriptedModel(['hi']), tools: [source] })]
    const run = createRuntime({ clock, store, agents, onClose: 'suspend' })
    const left = run.run('a', 'go')
    await settle()
    const closing = run.close({ drainMs: 10 })
    await clock.advance(10)
    expect(await closing).toMatchObject({ suspended: 1 })
    slow = false
    const resumed = await createRuntime({ clock, store, agents }).resume(left.runId)
    expect(await resumed.result).toMatchObject({ status: 'completed', text: 'hi' })
  })

  it('close releases a run that was being resumed', async () => {
    const store = createMemoryStore()
    const { runtime: first, clock } = setup({ store, onClose: 'suspend' })
    const run = first.run('a', 'go')
    await settle()
    const closing = first.close({ drainMs: 10 })
    await clock.advance(10)
    await closing
    const gate = Promise.withResolvers<void>()
    const slow = { ...store, claim: async (request: ClaimRequest) => (await gate.promise, store.claim(request)) }
    const second = setup({ store: slow })
    const resuming = second.runtime.resume(run.runId)
    await settle()
    await second.runtime.close()
    gate.resolve()
    await expect(resuming).rejects.toThrow('The runtime is closed')
    expect(await store.run(run.runId)).toMatchObject({ status: 'suspended' })
    expect(second.attempts).toEqual([])
  })

  it('close keeps suspended runs for a later decision', async () => {
    const clock = fakeClock()
    const store = createMemoryStore()
    const asks = defineTool({
      name: 'asks',
      description: 'd',
      input: { type: 'object' },
      permission: 'ask',
      execute: () => 'asked',
    })
    const model = scriptedModel([{ toolCalls: [{ name: 'asks' }] }, 'done'])
    const agent = defineAgent({ name: 'a', model, tools: [asks], onApproval: () => new Promise(() => {}) })
    const runtime = createRuntime({ clock, store, agents: [agent], onClose: 'suspend' })
    const run = runtime.run('a', 'go')
    await settle()
    const closing = runtime.close({ drainMs: 10 })
    await clock.advance(10)
    await closing
    const result = await run.result
    expect(result).toMatchObject({ status: 'suspended', approvals: [{ name: 'asks' }], reason: 'shutdown' })
    const approvalId = result.status === 'suspended' ? (result.approvals[0]?.approvalId ?? '') : ''
    const next = createRuntime({ clock, store, agents: [defineAgent({ name: 'a', model, tools: [asks] })] })
    const decided = await next.decide(run.runId, approvalId, { decision: { type: 'approved' } })
    expect(await decided.result).toMatchObject({ status: 'completed', text: 'done' })
  })
})

describe('the options of close', () => {
  const hanging = () => defineAgent({ name: 'a', model: scriptedModel([{ hang: true }]) })

  it('onClose of close overrides that of the runtime', async () => {
    const store = createMemoryStore()
    const clock = fakeClock()
    const runtime = createRuntime({ agents: [hanging()], store, clock })
    const run = runtime.run('a', 'go')
    for await (const event of run) if (event.type === 'model.started') break
    const closing = runtime.close({ drainMs: 0, onClose: 'suspend' })
    await clock.advance(0)
    expect(await closing).toMatchObject({ suspended: 1, cancelled: 0 })
    expect(await run.result).toMatchObject({ status: 'suspended', reason: 'shutdown' })
  })

  it('close rejects an invalid onClose', () => {
    const runtime = createRuntime({ agents: [hanging()] })
    expect(() => runtime.close({ onClose: 'suspend' })).toThrow("close.onClose: requires a store for 'suspend'")
    expect(() => runtime.close({ onClose: 'explode' as never })).toThrow(
      "close.onClose: is 'explode'; must be cancel or suspend",
    )
  })
})

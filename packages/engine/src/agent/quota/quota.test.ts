import { defineTool, type Permission, type RunEvent } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { RunContext } from '../../run-context/run-context.ts'
import { callGates } from '../../steps/tools/enter-call.ts'
import { QuotaHolder } from './quota-holder.ts'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent, type Quota, type Run, type RuntimeOptions } from '../../index.ts'

/** Lets all pending work continue. */
const settle = () => new Promise(resolve => setImmediate(resolve))

/** A runtime whose agents `a` and `b` answer when the gate of their call opens. */
function setup(quota: Quota, options: RuntimeOptions = {}, own?: Quota) {
  const gates: (() => void)[] = []
  const begun: string[] = []
  const model = scriptedModel(({ messages }) => {
    const gate = Promise.withResolvers<void>()
    gates.push(gate.resolve)
    begun.push(
      messages
        .flatMap(({ content }) =>
          typeof content === 'string' ? [] : content.map(part => ('text' in part ? part.text : '')),
        )
        .join(),
    )
    return { until: gate.promise, text: 'done' }
  })
  const agents = [defineAgent({ name: 'a', model, quota: own }), defineAgent({ name: 'b', model })]
  const runtime = createRuntime({ quota, agents, ...options })
  return { runtime, begun, gates }
}

/** An agent whose only tool call requires an approval. */
function asker(permission: Permission): Agent {
  const tool = { name: 'asks', description: 'd', input: { type: 'object' }, execute: () => 'ok' } as const
  const model = scriptedModel([{ toolCalls: [{ name: 'asks' }] }, 'asked'])
  return defineAgent({ name: 'asker', tools: [defineTool({ ...tool, permission })], model })
}

async function seen(run: Run): Promise<string[]> {
  const types: string[] = []
  for await (const event of run) types.push(event.type)
  return types
}

describe('concurrent runs', () => {
  it('runs above the quota wait in order and emit run.queued', async () => {
    const { runtime, begun, gates } = setup({ maxConcurrentRuns: 1 })
    const runs = ['one', 'two', 'three'].map(input => runtime.run('a', input))
    const queued: RunEvent[] = []
    for (const run of runs) {
      void (async () => {
        for await (const event of run) if (event.type === 'run.queued') queued.push(event)
      })()
    }
    await settle()
    expect(begun).toEqual(['one'])
    expect(await runtime.health()).toMatchObject({ activeRuns: 1, queuedRuns: 2 })
    expect(queued.map(event => event.type === 'run.queued' && event.ahead)).toEqual([0, 1])
    for (const [index, expected] of [
      ['one', 'two'],
      ['one', 'two', 'three'],
      ['one', 'two', 'three'],
    ].entries()) {
      gates[index]?.()
      await runs[index]?.result
      await settle()
      expect(begun).toEqual(expected)
    }
    expect(await runtime.health()).toMatchObject({ activeRuns: 0, queuedRuns: 0 })
  })

  it('the quota of an agent applies within the runtime’s quota', async () => {
    const { runtime, begun, gates } = setup({ maxConcurrentRuns: 2 }, {}, { maxConcurrentRuns: 1 })
    const [a1] = ['a1', 'a2'].map(input => runtime.run('a', input))
    const [b1] = ['b1', 'b2'].map(input => runtime.run('b', input))
    await settle()
    expect(begun).toEqual(['a1', 'b1'])
    gates[1]?.()
    await b1?.result
    await settle()
    expect(begun).toEqual(['a1', 'b1', 'b2'])
    gates[0]?.()
    await a1?.result
    await settle()
    expect(begun).toEqual(['a1', 'b1', 'b2', 'a2'])
  })

  it('a queued run can be steered and cancelled, and a cancelled run leaves the queue', async () => {
    const store = createMemoryStore()
    const { runtime, begun, gates } = setup({ maxConcurrentRuns: 1 }, { store })
    const [first, second, third] = ['one', 'two', 'three'].map(input => runtime.run('a', input))
    const types = seen(second as Run)
    const said = third?.steer('and more')
    await settle()
    await second?.cancel({ kind: 'user', detail: 'never mind' })
    expect(await second?.result).toMatchObject({ status: 'cancelled', reason: { kind: 'user', detail: 'never mind' } })
    expect(await types).toEqual(['run.queued', 'run.started', 'message.appended', 'cancel.requested', 'run.ended'])
    expect(await store.run(second?.runId ?? '')).toMatchObject({ status: 'cancelled' })
    gates[0]?.()
    await first?.result
    await said
    await settle()
    expect(begun).toEqual(['one', 'three,and more'])
    gates[1]?.()
    expect(await third?.result).toMatchObject({ status: 'completed' })
  })

  it('runs above a quota with onFull refuse are rejected', async () => {
    const { runtime, gates } = setup({ maxConcurrentRuns: 1, onFull: 'refuse' })
    const first = runtime.run('a', 'one')
    expect(() => runtime.run('b', 'two')).toThrow('The quota runtime.quota.maxConcurrentRuns of 1 is used up (1).')
    await settle()
    gates[0]?.()
    await first.result
    await settle()
    expect(() => runtime.run('b', 'two')).not.toThrow()
  })

  it('a run whose approval times out waits for a place even with onFull refuse', async () => {
    const clock = fakeClock()
    const gate = Promise.withResolvers<void>()
    const agents = [
      asker({ effect: 'ask', expiresInMs: 1_000 }),
      defineAgent({ name: 'slow', model: scriptedModel([{ until: gate.promise, text: 'slow' }]) }),
    ]
    const store = createMemoryStore()
    const runtime = createRuntime({ clock, store, agents, quota: { maxConcurrentRuns: 1, onFull: 'refuse' } })
    const asked = await runtime.run('asker', 'go').result
    const slow = runtime.run('slow', 'go')
    await clock.advance(1_000)
    expect(await runtime.health()).toMatchObject({ activeRuns: 1, queuedRuns: 1 })
    gate.resolve()
    await slow.result
    await clock.advance(0)
    await runtime.close()
    expect(await store.run(asked.runId)).toMatchObject({ status: 'completed' })
  })

  it('suspended runs free their place and need one to continue', async () => {
    const store = createMemoryStore()
    const gate = Promise.withResolvers<void>()
    const agents = [
      asker('ask'),
      defineAgent({ name: 'slow', model: scriptedModel([{ until: gate.promise, text: 'slow' }]) }),
    ]
    const runtime = createRuntime({ store, agents, quota: { maxConcurrentRuns: 1 } })
    const asked = await runtime.run('asker', 'go').result
    const slow = runtime.run('slow', 'go')
    await settle()
    const approvalId = asked.status === 'suspended' ? (asked.approvals[0]?.approvalId ?? '') : ''
    const decided = await runtime.decide(asked.runId, approvalId, { decision: { type: 'approved' } })
    await settle()
    expect(await runtime.health()).toMatchObject({ activeRuns: 1, queuedRuns: 1 })
    // The queued run keeps the decision.
    expect((await store.read(asked.runId)).at(-1)).toMatchObject({ type: 'approval.decided' })
    gate.resolve()
    await slow.result
    expect(await decided.result).toMatchObject({ status: 'completed', text: 'asked' })
  })
})

describe('concurrent tool calls', () => {
  it('concurrent tool calls stay within the runtime’s and the agent’s quota', async () => {
    const open = { now: 0, most: 0 }
    const work = defineTool({
      name: 'work',
      description: 'd',
      input: { type: 'object' },
      async execute() {
        open.most = Math.max(open.most, ++open.now)
        await settle()
        open.now--
        return 'ok'
      },
    })
    for (const [quota, own, expected] of [
      [{ maxConcurrentToolCalls: 3 }, undefined, 3],
      [{ maxConcurrentToolCalls: 3 }, { maxConcurrentToolCalls: 2 }, 2],
      [undefined, { maxConcurrentToolCalls: 4 }, 4],
    ] as const) {
      open.most = 0
      const model = scriptedModel(({ messages }) =>
        messages.length > 1 ? 'done' : { toolCalls: Array.from({ length: 5 }, () => ({ name: 'work' })) },
      )
      const runtime = createRuntime({ quota, agents: [defineAgent({ name: 'a', model, tools: [work], quota: own })] })
      const results = await Promise.all(Array.from({ length: 4 }, () => runtime.run('a', 'go').result))
      expect(results.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed', 'completed'])
      expect(open.most).toBe(expected)
    }
  })

  it('tool calls of a child run do not need the place of the parent call', () => {
    const holder = new QuotaHolder({ maxConcurrentToolCalls: 1 }, 'runtime')
    const gatesAt = (...path: string[]) =>
      callGates({ agent: { quotas: [holder] }, facts: { path } } as unknown as RunContext, undefined)
    expect(gatesAt()).toEqual([holder.calls(0)])
    expect(gatesAt()?.[0]).toBe(gatesAt()?.[0])
    expect(gatesAt('r', 'c')?.[0]).not.toBe(gatesAt()?.[0])
  })

  it('queued tool calls do not start after their run is cancelled', async () => {
    let started = 0
    const gate = Promise.withResolvers<string>()
    const hold = defineTool({
      name: 'hold',
      description: 'd',
      input: { type: 'object' },
      execute: () => (started++, gate.promise),
    })
    const model = scriptedModel(({ messages }) => (messages.length > 1 ? 'done' : { toolCalls: [{ name: 'hold' }] }))
    const runtime = createRuntime({
      quota: { maxConcurrentToolCalls: 1 },
      agents: [defineAgent({ name: 'a', model, tools: [hold] })],
    })
    const first = runtime.run('a', 'go')
    await settle()
    const second = runtime.run('a', 'go')
    await settle()
    await second.cancel()
    expect((await second.result).messages.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ text: "'hold' was cancelled before it ran." }],
    })
    gate.resolve('held')
    expect(await first.result).toMatchObject({ text: 'done' })
    expect(started).toBe(1)
  })
})

describe('tokens', () => {
  const usage = (input: number, output: number) => ({ usage: { input, output } })
  const call = { toolCalls: [{ name: 'noop' }] }
  const noop = defineTool({ name: 'noop', description: 'd', input: { type: 'object' }, execute: () => 'ok' })

  it('maxTokensPerTurn limits the output by what the input leaves', async () => {
    const model = scriptedModel([
      { ...call, ...usage(60, 20) },
      { text: 'ok', ...usage(85, 10) },
    ])
    const agent = defineAgent({ name: 'a', model, tools: [noop], settings: { maxOutputTokens: 90 } })
    const runtime = createRuntime({ agents: [agent], quota: { maxTokensPerTurn: 100 } })
    expect(await runtime.run('a', 'go').result).toMatchObject({ status: 'completed' })
    expect(model.requests.map(({ settings }) => settings.maxOutputTokens)).toEqual([90, 20])
  })

  it('a turn above maxTokensPerTurn fails the run, and its usage counts', async () => {
    const model = scriptedModel([{ ...call, ...usage(150, 20) }])
    const runtime = createRuntime({
      agents: [defineAgent({ name: 'a', model, tools: [noop] })],
      quota: { maxTokensPerTurn: 100 },
    })
    const run = runtime.run('a', 'go')
    expect(await seen(run)).not.toContain('tool.started')
    expect(await run.result).toMatchObject({
      status: 'failed',
      error: { code: 'quota-exceeded', quota: 'maxTokensPerTurn', owner: 'runtime', max: 100, value: 170 },
      usage: { input: 150, output: 20 },
      messages: [{ role: 'user' }],
    })
  })

  it('a turn whose input alone exceeds maxTokensPerTurn makes no model call', async () => {
    const model = scriptedModel([{ ...call, ...usage(60, 40) }])
    const agent = defineAgent({ name: 'a', model, tools: [noop], quota: { maxTokensPerTurn: 100 } })
    const runtime = createRuntime({ agents: [agent] })
    expect(await runtime.run('a', 'go').result).toMatchObject({
      status: 'failed',
      error: { code: 'quota-exceeded', quota: 'maxTokensPerTurn', owner: 'agents.a', value: 100 },
    })
    expect(model.requests).toHaveLength(1)
  })

  it('maxTokens counts over all runs, and the call after it fails', async () => {
    const model = scriptedModel(() => ({ text: 'ok', ...usage(30, 10) }))
    const agents = [defineAgent({ name: 'a', model, quota: { maxTokens: 70 } }), defineAgent({ name: 'b', model })]
    const runtime = createRuntime({ agents, quota: { maxTokens: 100 } })
    expect((await runtime.run('a', 'go').result).status).toBe('completed')
    expect((await runtime.run('a', 'go').result).status).toBe('completed')
    expect(await runtime.run('a', 'go').result).toMatchObject({
      error: { code: 'quota-exceeded', quota: 'maxTokens', owner: 'agents.a', max: 70, value: 80 },
    })
    expect((await runtime.run('b', 'go').result).status).toBe('completed')
    expect(await runtime.run('b', 'go').result).toMatchObject({ error: { owner: 'runtime', max: 100, value: 120 } })
    runtime.agents.replace(defineAgent({ name: 'a', model }))
    expect(await runtime.run('a', 'go').result).toMatchObject({ error: { owner: 'runtime' } })
    expect(model.requests).toHaveLength(3)
  })

  it('the usage of an agent stays counted when one of its tools is replaced', async () => {
    const model = scriptedModel(() => ({ text: 'ok', ...usage(30, 10) }))
    const agent = defineAgent({ name: 'a', model, tools: ['noop'], quota: { maxTokens: 40 } })
    const runtime = createRuntime({ agents: [agent], tools: [noop] })
    await runtime.run('a', 'go').result
    runtime.tools.replace({ ...noop })
    expect(await runtime.run('a', 'go').result).toMatchObject({ error: { code: 'quota-exceeded', value: 40 } })
  })

  it('the usage of a failed call counts', async () => {
    const error = { code: 'model-server', provider: 'p', detail: '' } as const
    const model = scriptedModel([{ ...usage(50, 10), error }, 'never'])
    const runtime = createRuntime({
      clock: fakeClock(),
      agents: [defineAgent({ name: 'a', model })],
      quota: { maxTokens: 60 },
    })
    expect(await runtime.run('a', 'go').result).toMatchObject({ error })
    expect(await runtime.run('a', 'go').result).toMatchObject({ error: { code: 'quota-exceeded' } })
  })
})

import { defineTool, ParleyError, totalTokens, type RunFacts, type Store } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { agentTool, createRuntime, defineAgent, type Quota, type RuntimeOptions } from '../../index.ts'

const DAY = 86_400_000
const pricing = { input: 1, output: 2, source: 'https://prices.test', date: '2026-01-01' }
const usage = { input: 30, output: 10 }
/** Dollars of one call. */
const PRICE = 0.00005

const model = () => scriptedModel(() => ({ text: 'ok', usage }), { info: { pricing } })

function start(store: Store | undefined, quota: Quota, options: RuntimeOptions = {}) {
  return createRuntime({ store, quota, agents: [defineAgent({ name: 'a', model: model() })], ...options })
}

describe('the totals of a quota', () => {
  it('quotas of tokens, cost and runs are counted in the store by scope and time window, so that a restart does not empty them', async () => {
    for (const [quota, field, value] of [
      [{ maxTokens: 80 }, 'maxTokens', 80],
      [{ maxCost: 2 * PRICE }, 'maxCost', 2 * PRICE],
      [{ maxRuns: 2 }, 'maxRuns', 2],
    ] as const) {
      const store = createMemoryStore()
      const clock = fakeClock(10 * DAY)
      const restarted = () => start(store, { ...quota, windowMs: DAY }, { clock })
      for (let runs = 0; runs < 2; runs++)
        expect(await restarted().run('a', 'go').result).toMatchObject({ status: 'completed' })
      expect(await restarted().run('a', 'go').result).toMatchObject({
        status: 'failed',
        error: { code: 'quota-exceeded', quota: field, owner: 'runtime', max: value, value },
      })
      expect(await restarted().run('a', 'go', { scope: 'tenant' }).result).toMatchObject({ status: 'completed' })
      await clock.advance(DAY)
      expect(await restarted().run('a', 'go').result).toMatchObject({ status: 'completed' })
    }
  })

  it('a total without a window lasts as long as the store', async () => {
    const store = createMemoryStore()
    const clock = fakeClock()
    expect(await start(store, { maxRuns: 1 }, { clock }).run('a', 'go').result).toMatchObject({
      status: 'completed',
    })
    await clock.advance(1_000 * DAY)
    expect(await start(store, { maxRuns: 1 }, { clock }).run('a', 'go').result).toMatchObject({ status: 'failed' })
  })

  it('a run above maxRuns leaves no journal, and calls no model', async () => {
    const store = createMemoryStore()
    const asked = model()
    const runtime = start(store, { maxRuns: 1 }, { agents: [defineAgent({ name: 'a', model: asked })] })
    await runtime.run('a', 'go').result
    const refused = await runtime.run('a', 'go', { sessionId: 's' }).result
    expect(refused).toMatchObject({ status: 'failed', error: { quota: 'maxRuns', max: 1, value: 1 } })
    expect(asked.requests).toHaveLength(1)
    expect(await store.run(refused.runId)).toBeUndefined()
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('two runtimes that share a store share the totals, and exactly maxRuns of their runs begin', async () => {
    const store = createMemoryStore()
    const runtimes = [start(store, { maxRuns: 7 }), start(store, { maxRuns: 7 })]
    const results = await Promise.all(
      runtimes.flatMap(each => Array.from({ length: 6 }, () => each.run('a', 'go').result)),
    )
    expect(results.filter(({ status }) => status === 'completed')).toHaveLength(7)
  })

  it('without a store the totals are those of the process, and of each scope', async () => {
    const runtime = start(undefined, { maxRuns: 2, maxTokens: 40 })
    expect(await runtime.run('a', 'go').result).toMatchObject({ status: 'completed' })
    expect(await runtime.run('a', 'go').result).toMatchObject({ error: { quota: 'maxTokens', value: 40 } })
    expect(await runtime.run('a', 'go').result).toMatchObject({ error: { quota: 'maxRuns', value: 2 } })
    expect(await runtime.run('a', 'go', { scope: 'tenant' }).result).toMatchObject({ status: 'completed' })
  })

  it('each key has its own totals, in all processes that share the store, and within its scope', async () => {
    const store = createMemoryStore()
    const as = (id: string, scope?: string) =>
      start(store, { maxCost: PRICE, key: 'principal' }).run('a', 'go', { principal: { id, roles: [] }, scope }).result
    expect(await as('ann')).toMatchObject({ status: 'completed' })
    expect(await as('ann')).toMatchObject({
      status: 'failed',
      error: { code: 'quota-exceeded', quota: 'maxCost', owner: 'runtime["ann"]', max: PRICE },
    })
    expect(await as('bob')).toMatchObject({ status: 'completed' })
    expect(await as('ann', 'tenant')).toMatchObject({ status: 'completed' })
  })

  it('the key session keeps a total for each session', async () => {
    const runtime = start(createMemoryStore(), { maxRuns: 1, key: 'session' })
    const statuses = ['one', 'one', 'two'].map(
      async id => (await runtime.run('a', 'go', { sessionId: id }).result).status,
    )
    expect((await Promise.all(statuses)).toSorted()).toEqual(['completed', 'completed', 'failed'])
  })

  it.each([
    ['no text', () => undefined as unknown as string, 'returned undefined; must return a text of at most 256'],
    ['a long text', () => 'x'.repeat(257), 'returned 257 characters; must return'],
  ])('a key function that returns %s fails the run before a model call', async (_, key, detail) => {
    for (const store of [createMemoryStore(), undefined]) {
      const asked = model()
      const runtime = start(store, { maxTokens: 1, key }, { agents: [defineAgent({ name: 'a', model: asked })] })
      const result = await runtime.run('a', 'go').result
      const error = { code: 'config-invalid', path: 'quota.key', detail: expect.stringContaining(detail) as string }
      expect(result).toMatchObject({ status: 'failed', error })
      expect(asked.requests).toEqual([])
    }
  })

  it('a handoff does not change the key of a run', async () => {
    const store = createMemoryStore()
    const second = defineAgent({ name: 'second', model: model() })
    const opening = scriptedModel([{ toolCalls: [{ name: 'transfer_to_second', input: {} }], usage }])
    const first = defineAgent({ name: 'first', model: opening, handoffs: [second] })
    const quota = { maxTokens: 1_000, key: ({ agent }: RunFacts) => agent }
    await createRuntime({ store, agents: [first], quota }).invoke('first', 'go')
    const of = (owner: string) => ({ scope: 'default', owner, since: 0, until: Number.MAX_SAFE_INTEGER })
    const totals = await store.quotas?.totals([of('runtime["first"]'), of('runtime["second"]')])
    expect(totals?.map(({ tokens }) => tokens)).toEqual([80, 0])
  })

  it('a quota with totals is config-invalid with a store that cannot keep them', () => {
    const { quotas: _, ...store } = createMemoryStore()
    const detail = `has totals, which the store 'memory' cannot keep: it has no quotas`
    expect(() => start(store, { maxTokens: 1 })).toThrow(`quota: ${detail}`)
    expect(() => start(store, { maxTokensPerTurn: 1, maxConcurrentRuns: 1 })).not.toThrow()
    const agent = defineAgent({ name: 'b', model: model(), quota: { maxRuns: 1 } })
    expect(() => start(store, {}).agents.register(agent)).toThrow(`agents.b.quota: ${detail}`)
  })
})

describe('what counts for a quota', () => {
  const works = { description: 'd', input: { type: 'object' }, execute: () => 'ok' } as const
  const asks = defineTool({ ...works, name: 'asks', permission: 'ask' })
  const read = defineTool({ ...works, name: 'read', effect: 'read' })
  const total = async (store: Store, owner = 'runtime') => {
    const key = { scope: 'default', owner, since: 0, until: Number.MAX_SAFE_INTEGER }
    return (await store.quotas?.totals([key]))?.[0]
  }

  it('the usage of a run that is resumed in another process counts once per entry', async () => {
    const store = createMemoryStore()
    const scripted = scriptedModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ name: 'asks' }], usage } : { text: 'ok', usage },
    )
    const options = { agents: [defineAgent({ name: 'a', model: scripted, tools: [asks] })] }
    const asked = await start(store, { maxTokens: 1_000, maxRuns: 1 }, options).run('a', 'go').result
    expect(await total(store)).toMatchObject({ runs: 1, tokens: 40 })
    const again = start(store, { maxTokens: 1_000, maxRuns: 1 }, options)
    const approvalId = asked.status === 'suspended' ? (asked.approvals[0]?.approvalId ?? '') : ''
    const run = await again.decide(asked.runId, approvalId, { decision: { type: 'approved' } })
    expect(await run.result).toMatchObject({ status: 'completed' })
    expect(await total(store)).toMatchObject({ runs: 1, tokens: 80 })
  })

  it('the totals are those of the journal wherever the process dies', async () => {
    for (let dies = 1; dies <= 8; dies++) {
      const store = createMemoryStore()
      const scripted = scriptedModel(({ messages }) =>
        messages.length === 1 ? { toolCalls: [{ name: 'read' }], usage } : { text: 'ok', usage },
      )
      const options = { agents: [defineAgent({ name: 'a', model: scripted, tools: [read] })], leaseMs: 1_000 }
      const quota = { maxTokens: 1_000, maxRuns: 1 }
      const first = await start(dyingAfter(store, dies), quota, options).run('a', 'go', { runId: 'r' }).result
      expect(['interrupted', 'completed']).toContain(first.status)
      if ((await store.run('r'))?.status === 'running')
        await (
          await start(store, quota, options).resume('r', { force: true })
        ).result
      const entries = await store.read('r')
      if (dies === 8) expect(first.status).toBe('completed')
      const spent = entries.flatMap(entry =>
        entry.type === 'model.called' || entry.type === 'model.failed' ? [totalTokens(entry.usage)] : [],
      )
      expect(entries.at(-1)?.type).toBe('run.ended')
      expect(await total(store)).toMatchObject({ runs: 1, tokens: spent.reduce((sum, tokens) => sum + tokens, 0) })
    }
  })

  it('a child run counts its tokens for its own agent and the runtime, and is not a run of its own', async () => {
    const store = createMemoryStore()
    const helper = defineAgent({ name: 'helper', description: 'd', model: model(), quota: { maxTokens: 1_000 } })
    const boss = defineAgent({
      name: 'boss',
      model: scriptedModel([
        { toolCalls: [{ name: 'helper', input: { task: 'go' } }], usage },
        { text: 'ok', usage },
      ]),
      tools: [agentTool(helper)],
    })
    const runtime = createRuntime({ store, agents: [boss], quota: { maxTokens: 1_000 } })
    expect(await runtime.run('boss', 'go').result).toMatchObject({ status: 'completed' })
    expect(await total(store)).toMatchObject({ runs: 1, tokens: 120 })
    expect(await total(store, 'agents.helper')).toMatchObject({ runs: 0, tokens: 40 })
  })

  it('after a handoff each agent counts the calls that it made', async () => {
    const store = createMemoryStore()
    const second = defineAgent({ name: 'second', model: model(), quota: { maxTokens: 1_000 } })
    const opening = scriptedModel([{ toolCalls: [{ name: 'transfer_to_second', input: {} }], usage }])
    const first = defineAgent({ name: 'first', model: opening, handoffs: [second], quota: { maxTokens: 1_000 } })
    const runtime = createRuntime({ store, agents: [first] })
    expect(await runtime.run('first', 'go').result).toMatchObject({ status: 'completed', agent: 'second' })
    expect(await total(store, 'agents.first')).toMatchObject({ runs: 1, tokens: 40 })
    expect(await total(store, 'agents.second')).toMatchObject({ runs: 0, tokens: 40 })
  })

  it('an unavailable store interrupts the run before the model call', async () => {
    const store = createMemoryStore()
    const gone = new ParleyError({ code: 'store-unavailable', store: 'memory', detail: 'gone' })
    const broken: Store = { ...store, quotas: { totals: () => Promise.reject(gone) } }
    expect(await start(broken, { maxTokens: 1 }).run('a', 'go').result).toMatchObject({ status: 'interrupted' })
  })
})

/** A store whose process dies after append `count`: the append is kept, and no answer arrives. */
function dyingAfter(store: Store, count: number): Store {
  let appends = 0
  return {
    ...store,
    append: async append => {
      if (appends >= count) throw new Error('dead')
      await store.append(append)
      if (++appends === count) throw new Error('dead')
    },
  }
}

import { defineMiddleware } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createMemoryStore } from '@parley/memory-store'
import { agentTool, createRuntime, defineAgent, type Agent } from '../../index.ts'
import { loadRun } from '../../journal.ts'
import { eventsOf } from '../../runtime/__fixtures__/set-up-agent.ts'
import { ASK, resultsIn, setUpTeam } from './__fixtures__/set-up-team.ts'
import { withHandler } from './__fixtures__/with-handler.ts'

const PRICES = { pricing: { input: 1_000_000, output: 1_000_000, source: 'here', date: '2026-01-01' } }

describe('an agent as a tool', () => {
  it('an agent tool returns the last answer of its child run', async () => {
    const { runtimeOn, helperModel } = setUpTeam()
    const result = await runtimeOn().run('lead', 'go').result
    expect(result).toMatchObject({ status: 'completed', text: 'Done.', agent: 'lead' })
    expect(resultsIn(result.messages)).toEqual(['Found.'])
    expect(helperModel.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'look' }] }])
  })

  it('agentTool accepts its own input schema, name and description', async () => {
    const helper = defineAgent({ name: 'a helper', description: 'Knows cities.', model: scriptedModel(['Rain.']) })
    const tool = agentTool(helper, {
      input: z.object({ city: z.string() }),
      toInput: ({ city }) => `What is it like in ${city}?`,
    })
    expect(tool).toMatchObject({ name: 'a_helper', description: 'Knows cities.', effect: 'idempotent' })
    const model = scriptedModel([{ toolCalls: [{ name: 'a_helper', input: { city: 'Rome' } }] }, 'Done.'])
    const runtime = createRuntime({ agents: [defineAgent({ name: 'lead', model, tools: [tool] })] })
    expect(resultsIn((await runtime.run('lead', 'go').result).messages)).toEqual(['Rain.'])
    expect(agentTool('x', { name: 'y', description: 'd', timeoutMs: 5 })).toMatchObject({
      name: 'y',
      description: 'd',
      timeoutMs: 5,
    })
  })

  it('agentTool finds an agent of the runtime by name and returns an error for an unknown name', async () => {
    const model = scriptedModel([
      {
        toolCalls: [
          { name: 'known', input: { task: 't' } },
          { name: 'nobody', input: { task: 't' } },
        ],
      },
      '.',
    ])
    const lead = defineAgent({ name: 'lead', model, tools: [agentTool('known'), agentTool('nobody')] })
    const known = defineAgent({ name: 'known', model: scriptedModel(['Here.']) })
    const runtime = createRuntime({ agents: [lead, known] })
    expect(resultsIn((await runtime.run('lead', 'go').result).messages)).toEqual([
      'Here.',
      "There is no agent named 'nobody'. Known agents: lead, known.",
    ])
  })

  it.each([
    ['failed', { helper: [{ error: { code: 'model-server', provider: 'p', detail: 'down.' } as const }] }, 'down.'],
    [
      'limit',
      { helperAgent: { limits: { maxTokens: 1 } }, helper: [{ text: 'Half.', finish: 'pause' as const }] },
      'Max tokens reached (15/1)',
    ],
    [
      'cancelled',
      { helperAgent: { middleware: [] }, leadAgent: { toolTimeoutMs: 5 }, helper: [{ hang: true }] },
      'stopped after 5 ms',
    ],
  ])('a child run that ends as %s returns an error result', async (status, team, words) => {
    const store = createMemoryStore()
    const { runtimeOn } = setUpTeam(team)
    const run = runtimeOn(store).run('lead', 'go')
    const events = await eventsOf(run)
    const ended = events.find(event => event.type === 'agent.ended')
    expect(ended).toMatchObject({ outcome: { status } })
    const result = events.find(event => event.type === 'tool.ended')
    expect(result).toMatchObject({ message: { isError: true } })
    expect(resultsIn((await run.result).messages)[0]).toContain(words)
    if (status !== 'cancelled') {
      expect(result?.error).toMatchObject({ code: 'run-failed', agent: 'helper', runId: ended?.childRunId, status })
    }
    expect((await store.run(ended?.childRunId ?? ''))?.status).toBe(status)
  })

  it('an agent tool returns the partial answer of a child run that reached a limit, and tells that it is cut', async () => {
    const half = { text: 'Half.', finish: 'pause' as const }
    const limited = setUpTeam({ helper: [half], helperAgent: { limits: { maxTokens: 1 } } })
    expect(resultsIn((await limited.runtimeOn().run('lead', 'go').result).messages)[0]).toContain(
      'Its last text: Half.',
    )
    const cut = setUpTeam({ helper: [{ text: 'Long', finish: 'length' }] })
    expect(resultsIn((await cut.runtimeOn().run('lead', 'go').result).messages)).toEqual([
      'Long\n[The answer ended early: length]',
    ])
    const silent = setUpTeam({ helper: [''] })
    expect(resultsIn((await silent.runtimeOn().run('lead', 'go').result).messages)[0]).toContain(
      'without an answer in words',
    )
  })

  it('an agent tool without a runtime returns an error', async () => {
    const context = { signal: new AbortController().signal, callId: 'c', idempotencyKey: 'k', progress: () => {} }
    const run = { runId: 'r', sessionId: 's', agent: 'a', scope: 'd', path: [], context: undefined }
    expect(await agentTool('helper').execute({ task: 't' }, { ...context, run })).toMatchObject({ type: 'error' })
  })
})

describe('a child run', () => {
  it('a child run has its own journal, whose first entry names the parent call', async () => {
    const store = createMemoryStore()
    const principal = { id: 'ann', roles: ['boss'] }
    const result = await setUpTeam().runtimeOn(store).run('lead', 'go', { scope: 'acme', principal }).result
    const entries = await store.read(result.runId)
    const begun = entries.find(entry => entry.type === 'agent.started')
    expect(begun).toMatchObject({ callId: 'call_1', key: '#0', agent: 'helper' })
    const [started] = await store.read(begun?.childRunId ?? '')
    expect(started).toMatchObject({
      type: 'run.started',
      relation: 'sub-agent',
      parent: { runId: result.runId, callId: 'call_1' },
      scope: 'acme',
      principal,
    })
    expect(entries.find(entry => entry.type === 'agent.ended')).toMatchObject({
      childRunId: begun?.childRunId,
      outcome: { status: 'completed', finish: 'stop' },
      text: 'Found.',
      turns: 1,
    })
  })

  it('readers of the parent run see all events of its child runs, with their own run id and path', async () => {
    const inner = defineAgent({ name: 'inner', model: scriptedModel(['Deep.']) })
    const { runtimeOn } = setUpTeam({
      helper: [{ toolCalls: [{ name: 'inner', input: { task: 'dig' }, callId: 'h1' }] }, 'Found.'],
      helperAgent: { tools: [agentTool(inner)] },
    })
    const run = runtimeOn(createMemoryStore()).run('lead', 'go')
    const events = await eventsOf(run)
    const [helperRun, innerRun] = events.flatMap(event => (event.type === 'agent.started' ? event.childRunId : []))
    const deltas = events.flatMap(event => (event.type === 'text.delta' ? [[event.text, event.runId, event.path]] : []))
    expect(deltas).toEqual([
      ['Deep.', innerRun, [run.runId, 'call_1', helperRun, 'h1']],
      ['Found.', helperRun, [run.runId, 'call_1']],
      ['Done.', run.runId, []],
    ])
    const ends = events.flatMap(event => (event.type === 'run.ended' ? event.runId : []))
    expect(ends).toEqual([innerRun, helperRun, run.runId])
    const late = await eventsOf(run)
    expect(late).toEqual(events.filter(event => 'v' in event))
  })

  it('the parent run’s middleware does not receive events of a child run', async () => {
    const seen: string[][] = []
    const spy = (name: string) =>
      defineMiddleware(name, ({ agent }) => ({ event: event => seen.push([name, agent, event.type, event.runId]) }))
    const { runtimeOn } = setUpTeam({
      leadAgent: { middleware: [spy('l')] },
      helperAgent: { middleware: [spy('h')] },
    })
    const { runId } = await runtimeOn().run('lead', 'go').result
    expect(seen.filter(([name]) => name === 'l').every(([, , , id]) => id === runId)).toBe(true)
    expect(
      seen.filter(([name]) => name === 'h').some(([, agent, type]) => agent === 'helper' && type === 'text.delta'),
    ).toBe(true)
  })

  it('the parent run’s usage and cost include those of its child runs once', async () => {
    const store = createMemoryStore()
    const { runtimeOn } = setUpTeam({
      lead: [
        { ...ASK, usage: { input: 100, output: 0 } },
        { text: 'Done.', usage: { input: 1_000, output: 0 } },
      ],
      helper: [{ text: 'Found.', usage: { input: 7, output: 0 } }],
      info: PRICES,
    })
    const result = await runtimeOn(store).run('lead', 'go').result
    expect(result).toMatchObject({ turns: 2, usage: { input: 1_107 }, cost: { usd: 1_107 } })
    expect((await store.read(result.runId)).at(-1)).toMatchObject({ type: 'run.ended', usage: { input: 1_107 } })
    const folded = await loadRun(store, result.runId)
    expect([folded.usage.input, folded.cost?.usd]).toEqual([1_107, 1_107])
  })

  it('cancelling the parent run cancels its child run', async () => {
    const store = createMemoryStore()
    const run = setUpTeam({ helper: [{ text: 'x', hang: true }] })
      .runtimeOn(store)
      .run('lead', 'go')
    const events = []
    for await (const event of run) {
      events.push(event)
      if (event.type === 'text.delta') void run.cancel({ kind: 'user', detail: 'enough' })
    }
    expect(events.find(event => event.type === 'agent.ended')).toMatchObject({
      outcome: { status: 'cancelled', reason: { kind: 'parent', detail: 'Cancelled (user): enough' } },
    })
    expect((await run.result).status).toBe('cancelled')
    expect((await store.runs({ scope: 'default', status: 'running' })).length).toBe(0)
  })

  it('a child run that its handler does not await is cancelled before the call ends', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel([{ hang: true }]) })
    const lead = withHandler(async ({ delegate }) => {
      void delegate({ agent: helper, input: 'x' })
      return 'left'
    })
    const types = (await eventsOf(createRuntime({ agents: [lead] }).run('lead', 'go'))).map(event => event.type)
    expect(types.indexOf('agent.ended')).toBeGreaterThan(0)
    expect(types.indexOf('agent.ended')).toBeLessThan(types.indexOf('tool.ended'))
  })

  it('close cancels a parent run that awaits its child run', async () => {
    const runtime = setUpTeam({ helper: [{ hang: true }] }).runtimeOn()
    const run = runtime.run('lead', 'go')
    for await (const event of run) if (event.type === 'agent.started') break
    await runtime.close({ drainMs: 0 })
    expect(await run.result).toMatchObject({ status: 'cancelled', reason: { kind: 'shutdown' } })
  })
})

describe('limits of a child run', () => {
  const answers = (tokens: number) => ({ text: 'more', finish: 'pause' as const, usage: { input: tokens, output: 0 } })

  it('the token limit of a child run is the smallest of its own, the handler’s and what the parent run has left', async () => {
    const limitOf = async (own: number, given: number | undefined, outer: number) => {
      const { helperAgent, leadModel } = setUpTeam({
        helper: () => answers(10),
        helperAgent: { limits: { maxTokens: own } },
        lead: [{ ...ASK, usage: { input: 40, output: 0 } }, 'Done.'],
      })
      const tools = [agentTool(helperAgent, { limits: { maxTokens: given } })]
      const lead = defineAgent({ name: 'lead', model: leadModel, tools, limits: { maxTokens: outer } })
      const events = await eventsOf(createRuntime({ agents: [lead] }).run('lead', 'go'))
      const hit = events.find(event => event.type === 'limit.reached')?.hit
      return [hit?.limit, hit?.max]
    }
    expect(await limitOf(30, undefined, 1_000)).toEqual(['tokens', 30])
    expect(await limitOf(30, 20, 1_000)).toEqual(['tokens', 20])
    expect(await limitOf(300, 200, 100)).toEqual(['tokens', 60])
  })

  it('concurrent child runs share the tokens that the parent run has left', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(() => answers(10)) })
    const lead = withHandler(
      ({ delegate }) => Promise.all([1, 2, 3].map(() => delegate({ agent: helper, input: 'x' }))),
      { limits: { maxTokens: 115 } },
    )
    const result = await createRuntime({ agents: [lead] }).run('lead', 'go').result
    // The lead uses 15 tokens. When 100 are used up, each of the three child runs may still be in a call of 10.
    expect(result).toMatchObject({ status: 'limit', hit: { limit: 'tokens' } })
    expect(result.usage.input + result.usage.output).toBeLessThanOrEqual(15 + 100 + 20)
  })

  it('child runs share the cost limit, which rejects a model without prices', async () => {
    const priced = { info: PRICES }
    const helperModel = scriptedModel(() => answers(1), priced)
    const leadModel = () => scriptedModel([{ ...ASK, usage: { input: 3, output: 0 } }, 'Done.'], priced)
    const lead = (helper: Agent) =>
      defineAgent({ name: 'lead', model: leadModel(), tools: [agentTool(helper)], limits: { maxCost: 5 } })
    const helper = { name: 'helper', model: helperModel }
    const events = await eventsOf(createRuntime({ agents: [lead(helper)] }).run('lead', 'go'))
    expect(events.find(event => event.type === 'limit.reached')).toMatchObject({
      hit: { limit: 'cost', max: 2, value: 2 },
    })
    const free = { name: 'helper', model: scriptedModel(['x']) }
    const result = await createRuntime({ agents: [lead(free)] }).run('lead', 'go').result
    expect(resultsIn(result.messages)[0]).toContain('agents.helper.limits.maxCost: cannot be enforced')
    expect(free.model.requests).toHaveLength(0)
  })

  it('the duration limit of the parent run ends its child run', async () => {
    const clock = fakeClock()
    const run = setUpTeam({ helper: [{ hang: true }], leadAgent: { limits: { maxDurationMs: 1_000 } }, clock })
      .runtimeOn()
      .run('lead', 'go')
    const reading = eventsOf(run)
    await clock.advance(1_000)
    const events = await reading
    expect((await run.result).status).toBe('limit')
    expect(events.find(event => event.type === 'agent.ended')?.outcome.status).toMatch(/^(limit|cancelled)$/)
    expect(clock.pending).toBe(0)
  })
})

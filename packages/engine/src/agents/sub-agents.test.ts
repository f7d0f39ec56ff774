import { defineMiddleware, defineTool, type Delegate, type DelegateResult, type ToolContext } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { agentTool, createMemoryStore, createRuntime, defineAgent, loadRun, type Agent } from '../index.ts'
import { eventsOf } from '../runtime/__fixtures__/set-up-agent.ts'
import { ASK, resultsIn, setUpTeam } from './__fixtures__/set-up-team.ts'

const PRICES = { pricing: { input: 1_000_000, output: 1_000_000, source: 'here', date: '2026-01-01' } }

/** An agent whose one tool does what the test says, and is called once. */
function withHandler(
  work: (context: ToolContext & { delegate: Delegate }) => Promise<unknown>,
  agent: Partial<Agent> = {},
) {
  const tool = defineTool({
    name: 'work',
    description: 'Works.',
    input: { type: 'object' },
    execute: async (_, context) => JSON.stringify(await work(context as ToolContext & { delegate: Delegate })),
  })
  const model = scriptedModel([{ toolCalls: [{ name: 'work' }] }, 'Done.'])
  return defineAgent({ name: 'lead', model, tools: [tool], ...agent })
}

describe('an agent as a tool', () => {
  it('gives its last answer as the result', async () => {
    const { runtimeOn, helperModel } = setUpTeam()
    const result = await runtimeOn().run('lead', 'go').result
    expect(result).toMatchObject({ status: 'completed', text: 'Done.', agent: 'lead' })
    expect(resultsIn(result.messages)).toEqual(['Found.'])
    expect(helperModel.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'look' }] }])
  })

  it('takes an input of the user’s own, and is named and described as told', async () => {
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

  it('finds an agent the runtime knows by name, and says so when there is none', async () => {
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
  ])('that ends as %s is an error result, never an empty success', async (status, team, words) => {
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
      expect(result?.error).toMatchObject({ code: 'agent-failed', agent: 'helper', runId: ended?.childRunId, status })
    }
    expect((await store.run(ended?.childRunId ?? ''))?.status).toBe(status)
  })

  it('tells of what it last said when a limit stopped it, and that an answer was cut', async () => {
    const half = { text: 'Half.', finish: 'pause' as const }
    const limited = setUpTeam({ helper: [half], helperAgent: { limits: { maxTokens: 1 } } })
    expect(resultsIn((await limited.runtimeOn().run('lead', 'go').result).messages)[0]).toContain(
      'Its last words: Half.',
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

  it('cannot work without a runtime, and says so', async () => {
    const context = { signal: new AbortController().signal, callId: 'c', idempotencyKey: 'k', progress: () => {} }
    const run = { runId: 'r', sessionId: 's', agent: 'a', scope: 'd', path: [] }
    expect(await agentTool('helper').execute({ task: 't' }, { ...context, run })).toMatchObject({ type: 'error' })
  })
})

describe('a sub-agent’s run', () => {
  it('has a journal of its own, which says whose call it works for', async () => {
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

  it('is shown to the caller’s readers with its own id and its path, deltas included, however deep', async () => {
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

  it('is not told to the caller’s middleware: it has its own', async () => {
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

  it('counts on the caller: tokens and cost of both, once', async () => {
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

  it('is cancelled with its caller', async () => {
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

  it('is stopped by a handler that does not wait for it, before the call has its result', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel([{ hang: true }]) })
    const lead = withHandler(async ({ delegate }) => {
      void delegate({ agent: helper, input: 'x' })
      return 'left'
    })
    const types = (await eventsOf(createRuntime({ agents: [lead] }).run('lead', 'go'))).map(event => event.type)
    expect(types.indexOf('agent.ended')).toBeGreaterThan(0)
    expect(types.indexOf('agent.ended')).toBeLessThan(types.indexOf('tool.ended'))
  })

  it('lets the runtime close, and is closed with it', async () => {
    const runtime = setUpTeam({ helper: [{ hang: true }] }).runtimeOn()
    const run = runtime.run('lead', 'go')
    for await (const event of run) if (event.type === 'agent.started') break
    await runtime.close({ drainMs: 0 })
    expect(await run.result).toMatchObject({ status: 'cancelled', reason: { kind: 'shutdown' } })
  })
})

describe('limits', () => {
  const answers = (tokens: number) => ({ text: 'more', finish: 'pause' as const, usage: { input: tokens, output: 0 } })

  it('of tokens are the least of its own, the handler’s, and the caller’s rest', async () => {
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

  it('of tokens are shared with siblings while they run', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(() => answers(10)) })
    const lead = withHandler(
      ({ delegate }) => Promise.all([1, 2, 3].map(() => delegate({ agent: helper, input: 'x' }))),
      { limits: { maxTokens: 115 } },
    )
    const result = await createRuntime({ agents: [lead] }).run('lead', 'go').result
    // The lead itself uses 15; each of the three may be within a call of 10 when the rest of 100 is used up.
    expect(result).toMatchObject({ status: 'limit', hit: { limit: 'tokens' } })
    expect(result.usage.input + result.usage.output).toBeLessThanOrEqual(15 + 100 + 20)
  })

  it('of cost, too; and a model without prices is refused under one', async () => {
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
    expect(resultsIn(result.messages)[0]).toContain('agents.helper.limits.maxCost: cannot be kept')
    expect(free.model.requests).toHaveLength(0)
  })

  it('of time end with the caller’s', async () => {
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

describe('delegate', () => {
  it('may be called several times, and tells how each ended', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['One.', 'Two.']) })
    const results: DelegateResult[] = []
    const lead = withHandler(async ({ delegate }) => {
      results.push(await delegate({ agent: helper, input: 'x' }), await delegate({ agent: helper, input: 'y' }))
    })
    await createRuntime({ agents: [lead] }).run('lead', 'go').result
    expect(results).toMatchObject([
      { status: 'completed', finish: 'stop', text: 'One.', turns: 1, usage: { input: 10 } },
      { status: 'completed', text: 'Two.' },
    ])
    expect(results[0]?.runId).not.toBe(results[1]?.runId)
  })

  it('gives the same run for the same key', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['One.']) })
    const lead = withHandler(async ({ delegate }) => {
      const ask = () => delegate({ agent: helper, input: 'x', key: 'k' })
      const [one, two] = await Promise.all([ask(), ask()])
      return one.runId === two.runId && (await ask()).runId === one.runId
    })
    expect(resultsIn((await createRuntime({ agents: [lead] }).run('lead', 'go').result).messages)).toEqual(['true'])
  })

  it('can be stopped alone', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel([{ hang: true }]) })
    const lead = withHandler(async ({ delegate }) => {
      const controller = new AbortController()
      const working = delegate({ agent: helper, input: 'x', signal: controller.signal })
      controller.abort(new Error('changed my mind'))
      return (await working).status
    })
    const result = await createRuntime({ agents: [lead] }).run('lead', 'go').result
    expect(result.status).toBe('completed')
    expect(resultsIn(result.messages)).toEqual(['"cancelled"'])
  })

  it('goes on with a session, and fails when another run holds it', async () => {
    const store = createMemoryStore()
    const third = Promise.withResolvers<void>()
    const model = scriptedModel((_, index) => {
      if (index < 2) return ['One.', 'Two.'][index] ?? ''
      third.resolve()
      return { hang: true }
    })
    const helper = defineAgent({ name: 'helper', model })
    const lead = withHandler(async ({ delegate }) => {
      const ask = (signal?: AbortSignal) => delegate({ agent: helper, input: 'x', sessionId: 's', signal })
      await ask()
      await ask()
      const controller = new AbortController()
      const working = ask(controller.signal)
      await third.promise
      const busy = await ask()
      controller.abort()
      return [busy, (await working).text]
    })
    const result = await createRuntime({ agents: [lead], store }).run('lead', 'go').result
    expect(model.requests[1]?.messages).toHaveLength(3)
    expect(JSON.parse(resultsIn(result.messages)[0] ?? '')).toMatchObject([
      { status: 'failed', error: { code: 'session-busy' }, text: '' },
      '',
    ])
    expect(result.status).toBe('completed')
  })

  it.each([
    ['limits that are none', { agent: 'lead', input: 'x', limits: { maxTurns: 0 } }, 'delegate.limits.maxTurns'],
    ['an agent that is none', { agent: { name: 'odd' }, input: 'x' }, 'agents.odd.model: is missing'],
  ])('refuses %s, and the call fails', async (_, request, words) => {
    const lead = withHandler(({ delegate }) => delegate(request))
    const result = await createRuntime({ agents: [lead] }).run('lead', 'go').result
    expect(resultsIn(result.messages)[0]).toContain(words)
    expect(result.status).toBe('completed')
  })

  it('begins nothing for what a handler has left behind', async () => {
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['x']) })
    const left = Promise.withResolvers<void>()
    let late: Promise<unknown> = Promise.resolve()
    const lead = withHandler(async ({ delegate }) => {
      late = left.promise.then(() => delegate({ agent: helper, input: 'x' }))
      late.catch(() => {})
    })
    const run = createRuntime({ agents: [lead] }).run('lead', 'go')
    const types: string[] = []
    for await (const event of run) {
      types.push(event.type)
      if (event.type === 'tool.ended') left.resolve()
    }
    await expect(late).rejects.toThrow('the call has ended')
    expect(types).not.toContain('agent.started')
  })

  it('begins nothing once its call is being stopped', async () => {
    let refused: unknown
    const helper = defineAgent({ name: 'helper', model: scriptedModel(['x']) })
    const lead = withHandler(async ({ delegate, signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await delegate({ agent: helper, input: 'x' }).catch((error: unknown) => (refused = error))
    })
    const run = createRuntime({ agents: [lead] }).run('lead', 'go')
    const events = []
    for await (const event of run) {
      events.push(event.type)
      if (event.type === 'tool.started') void run.cancel()
    }
    expect(refused).toMatchObject({ info: { code: 'cancelled' } })
    expect(events).not.toContain('agent.started')
  })
})

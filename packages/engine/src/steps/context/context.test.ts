import { createMemoryStore } from '@parley/memory-store'
import { phiCompaction, slidingWindow, summarize, truncateOldest } from '@parley/context-policies'
import { messageText, ParleyError, type ContextPolicy, type ErrorInfo, type Message } from '@parley/core'
import { scriptedModel, type ScriptedAnswer } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createRuntime, defineAgent, type Agent } from '../../index.ts'
import { decide, initialState, isValidTranscript, loadRun } from '../../journal.ts'
import { eventsOf } from '../../runtime/__fixtures__/set-up-agent.ts'
import { charCounter, exchange, textsOf } from './__fixtures__/scope-over.ts'

const tooLong: ErrorInfo = { code: 'model-context-length', provider: 'scripted', detail: 'Too long.' }
const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`question ${index}`, `answer ${index}`)).flat()
const refusal: ScriptedAnswer = { error: tooLong, usage: { input: 0, output: 0 } }

interface SetupOptions extends Partial<Agent> {
  readonly contextWindow?: number | undefined
}

function setup(script: Parameters<typeof scriptedModel>[0], { contextWindow, ...agent }: SetupOptions = {}) {
  const model = scriptedModel(script, { info: { contextWindow } })
  const store = createMemoryStore()
  const defined = defineAgent({ name: 'a', model, instructions: 'Be brief.', tokenCounter: charCounter, ...agent })
  return { model, store, runtime: createRuntime({ agents: [defined], store }) }
}

describe('what a model is sent', () => {
  it('a compacted call sends what the policy left and the unchanged instructions, and the result keeps all messages', async () => {
    const { model, runtime } = setup(['Fine.'], { context: slidingWindow({ maxMessages: 4 }) })
    const run = runtime.run('a', 'and now?', { history: talk(10) })
    const events = await eventsOf(run)
    const { messages } = await run.result
    expect(textsOf(model.requests[0]?.messages ?? [])).toEqual([
      'user: question 9',
      'assistant: answer 9',
      'user: and now?',
    ])
    expect(model.requests[0]?.system).toEqual([{ text: 'Be brief.' }])
    expect(messages).toHaveLength(22)
    expect(events.filter(event => event.type.startsWith('context.'))).toMatchObject([
      { type: 'context.compacting', turn: 1, policy: 'sliding-window', trigger: 'due', messages: 21 },
      {
        type: 'context.compacted',
        turn: 1,
        policy: 'sliding-window',
        trigger: 'due',
        view: [{ type: 'kept', from: 18, to: 21 }],
        before: { messages: 21 },
        after: { messages: 3 },
      },
    ])
  })

  it('by default a run sends at most the newest 100 messages, and their beginning changes rarely', async () => {
    const { model, runtime } = setup(() => ({ toolCalls: [{ name: 'nothing' }] }), { limits: { maxTurns: 60 } })
    const { messages } = await runtime.run('a', 'go', { history: talk(45) }).result
    expect(messages.length).toBeGreaterThan(200)
    const firsts = model.requests.map(request => request.messages.find(message => message.role === 'assistant'))
    for (const request of model.requests) {
      expect(request.messages.length).toBeLessThanOrEqual(100)
      expect(request.messages.length).toBeGreaterThan(70)
      expect(isValidTranscript(request.messages)).toBe(true)
      expect(request.messages.some(message => messageText(message) === 'go')).toBe(true)
    }
    expect(new Set(firsts).size).toBeLessThan(8)
  })

  it('by default a run stays within the model’s context window', async () => {
    const { model, runtime } = setup(() => 'x'.repeat(100), { contextWindow: 1_000 })
    let history: readonly Message[] = []
    for (let round = 0; round < 20; round++) {
      const result = await runtime.run('a', 'y'.repeat(100), { history }).result
      expect(result.status).toBe('completed')
      history = result.messages
    }
    for (const { messages } of model.requests) {
      expect(messages.reduce((sum, message) => sum + charCounter.count(message), 0)).toBeLessThanOrEqual(800)
    }
    expect(history).toHaveLength(40)
  })

  it('contextWindow of the agent overrides the window of the model', async () => {
    const model = scriptedModel(() => 'Fine.', { info: { contextWindow: 100_000 } })
    const agent = { name: 'a', model, tokenCounter: charCounter }
    const history = exchange('x'.repeat(500), 'y'.repeat(500))
    await createRuntime({ agents: [agent] }).run('a', 'go', { history }).result
    await createRuntime({ agents: [{ ...agent, contextWindow: 500 }] }).run('a', 'go', { history }).result
    const runtime = createRuntime({ agents: [{ ...agent, contextWindow: 1_500 }] })
    await runtime.run('a', 'go', { history }).result
    await runtime.run('a', 'go', { history, settings: { maxOutputTokens: 1_000 } }).result
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([3, 1, 3, 1])
  })

  it('without a token counter the run estimates its tokens', async () => {
    const { model, runtime } = setup(['Fine.'], { contextWindow: 1_000, tokenCounter: undefined })
    await runtime.run('a', 'go', { history: talk(200) }).result
    expect(model.requests[0]?.messages.length).toBeGreaterThan(40)
    expect(model.requests[0]?.messages.length).toBeLessThan(100)
  })

  it('without a known window the default policy limits only the number of messages', async () => {
    const { model, runtime } = setup(['Fine.'])
    const history = exchange('x'.repeat(1_000_000), 'y'.repeat(1_000_000))
    await runtime.run('a', 'go', { history }).result
    expect(model.requests[0]?.messages).toHaveLength(3)
  })

  it('with context none a run sends all messages', async () => {
    const { model, runtime } = setup(['Fine.'], { context: 'none', contextWindow: 100 })
    const events = await eventsOf(runtime.run('a', 'go', { history: talk(100) }))
    expect(model.requests[0]?.messages).toHaveLength(201)
    expect(events.some(event => event.type.startsWith('context.'))).toBe(false)
  })

  it('a compaction waits until beforeCompaction returns true', async () => {
    const seen: number[] = []
    const context = slidingWindow({
      maxMessages: 4,
      beforeCompaction: view => {
        seen.push(view.length)
        return view.length > 7
      },
    })
    const { model, runtime } = setup(() => (model.requests.length < 3 ? { toolCalls: [{ name: 'none' }] } : 'Done.'), {
      context,
    })
    await runtime.run('a', 'go', { history: talk(2) }).result
    expect(seen).toEqual([5, 7, 9])
    expect(model.requests.map(request => request.messages.length)).toEqual([5, 7, 3])
  })

  it('the token count of the provider corrects the estimate', async () => {
    // A tokenizer that counts twice as many tokens as the counter expects.
    const counted: number[] = []
    const model = scriptedModel(
      request => {
        const input = 2 * request.messages.reduce((sum, message) => sum + charCounter.count(message), 0)
        counted.push(input)
        return { toolCalls: [{ name: 'look' }], usage: { input, output: 0 } }
      },
      { info: { contextWindow: 2_000 } },
    )
    const { runtime } = setup([], { model, instructions: [], limits: { maxTurns: 30 } })
    await runtime.run('a', 'go', { history: talk(3) }).result
    // Every call fits, calls after a cut have free room, and the window is used.
    expect(Math.max(...counted)).toBeLessThanOrEqual(1_600)
    expect(Math.max(...counted)).toBeGreaterThan(1_300)
    expect(counted.filter((tokens, index) => tokens < (counted[index - 1] ?? 0)).length).toBeLessThan(10)
  })

  it('a run keeps only what must stay when the provider counts far more tokens than were sent', async () => {
    const script = [{ toolCalls: [{ name: 'look' }], usage: { input: 50_000 } }, 'Done.']
    const { model, runtime } = setup(script, { contextWindow: 60_000 })
    const run = runtime.run('a', 'go', { history: talk(10) })
    const events = await eventsOf(run)
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([21, 3])
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'context.compacted',
        turn: 2,
        before: expect.objectContaining({ messages: 23 }),
      }),
    )
  })
})

describe('a call that is refused as too long', () => {
  it('a call that is refused as too long is compacted and repeated in the same turn', async () => {
    const { model, runtime } = setup([refusal, 'Fine.'], { context: truncateOldest() })
    const run = runtime.run('a', 'and now?', { history: talk(10) })
    const events = await eventsOf(run)
    const result = await run.result
    expect(result).toMatchObject({ status: 'completed', text: 'Fine.', turns: 1 })
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([21, expect.any(Number)])
    expect(model.requests[1]?.messages.length).toBeLessThan(15)
    const steps = events.flatMap(event => ('turn' in event && 'v' in event ? [`${event.type} ${event.turn}`] : []))
    expect(steps).toEqual(['model.failed 1', 'context.compacted 1', 'model.called 1'])
    expect(result.messages).toHaveLength(22)
  })

  it('a call that is refused as too long twice fails the run', async () => {
    const { model, runtime } = setup([refusal, refusal, 'Never.'], { context: truncateOldest() })
    const result = await runtime.run('a', 'and now?', { history: talk(10) }).result
    expect(result).toMatchObject({ status: 'failed', error: tooLong })
    expect(model.requests).toHaveLength(2)
  })

  it('a later turn may compact again after a refusal', async () => {
    const { runtime } = setup([refusal, { toolCalls: [{ name: 'none' }] }, refusal, 'Fine.'], {
      context: truncateOldest(),
    })
    expect(await runtime.run('a', 'go', { history: talk(20) }).result).toMatchObject({ status: 'completed', turns: 2 })
  })

  it('a refused call fails the run at once if nothing can be dropped, and the error tells what to do', async () => {
    const { model, runtime } = setup([refusal, 'Never.'])
    const result = await runtime.run('a', 'go').result
    expect(result.status).toBe('failed')
    expect(model.requests).toHaveLength(1)
    if (result.status !== 'failed') return
    expect(new ParleyError(result.error).message).toContain('use a context policy with a smaller budget')
  })

  it('a refused call fails the run at once without a policy', async () => {
    const { model, runtime } = setup([refusal, 'Never.'], { context: 'none' })
    expect((await runtime.run('a', 'go', { history: talk(10) }).result).status).toBe('failed')
    expect(model.requests).toHaveLength(1)
  })

  it('decide does not repeat a refused call after a limit, a cancel or a compaction, or without a policy', () => {
    const state = { ...initialState(), turn: 3, failure: tooLong }
    const policy = { limits: {}, onLimit: 'stop', compacts: true } as const
    const end = { type: 'end', outcome: { status: 'failed', error: tooLong } }
    expect(decide(state, policy)).toEqual({ type: 'compact', turn: 3, trigger: 'overflow' })
    expect(decide({ ...state, context: { ...state.context, overflowTurn: 2 } }, policy)).toMatchObject({
      type: 'compact',
    })
    expect(decide({ ...state, context: { ...state.context, overflowTurn: 3 } }, policy)).toEqual(end)
    expect(decide({ ...state, limit: { limit: 'tokens', max: 1, value: 1 } }, policy)).toEqual(end)
    expect(decide(state, { ...policy, compacts: false })).toEqual(end)
    expect(decide({ ...state, cancel: { kind: 'user' } }, policy)).toMatchObject({ outcome: { status: 'cancelled' } })
  })
})

describe('a session that continues', () => {
  it('a continued session sends the existing summary and does not write it again', async () => {
    const script = ['Summary of old times.', 'First.', 'Second.']
    const { model, runtime, store } = setup(script, { context: summarize({ maxTokens: 400, keepRecentTurns: 1 }) })
    const history = [...exchange('x'.repeat(300), 'y'.repeat(200)), ...exchange('still open?', 'yes')]
    const first = await runtime.run('a', 'one', { sessionId: 's', history }).result
    const second = runtime.run('a', 'two', { sessionId: 's' })
    const types = (await eventsOf(second)).map(event => event.type)
    expect(types).not.toContain('context.compacted')
    expect(textsOf(model.requests[2]?.messages ?? [])).toEqual([
      'user: [Summary of the conversation so far]\nSummary of old times.',
      'user: one',
      'assistant: First.',
      'user: two',
    ])
    expect((await second.result).messages).toHaveLength(8)
    const state = await loadRun(store, second.runId)
    expect(state.context.overlay?.messages).toHaveLength(2)
    expect(first.status).toBe('completed')
  })
})

describe('a policy over several runs', () => {
  it('a policy learns which messages belong to the current run', async () => {
    const context = phiCompaction({ maxContextTokens: 500, systemPromptTokens: 0, scope: 0 })
    const { model, runtime } = setup(['First.', 'Second.', 'Third.'], { context, instructions: [] })
    await runtime.run('a', `one ${'x'.repeat(150)}`, { sessionId: 's' }).result
    await runtime.run('a', `two ${'x'.repeat(150)}`, { sessionId: 's' }).result
    await runtime.run('a', `three ${'x'.repeat(150)}`, { sessionId: 's' }).result
    expect(textsOf(model.requests[2]?.messages ?? [])).toEqual([`user: three ${'x'.repeat(150)}`])
  })
})

describe('a policy that breaks', () => {
  const broken = (): never => {
    throw new Error('broken')
  }

  it('a policy that throws in due fails the run', async () => {
    const { model, runtime } = setup(['Never.'], { context: { name: 'b', due: broken, compact: () => undefined } })
    const result = await runtime.run('a', 'go').result
    expect(result).toMatchObject({ status: 'failed', error: { code: 'internal', detail: 'broken' } })
    expect(model.requests).toHaveLength(0)
  })

  it('the run drops the oldest messages and continues when a policy throws in compact', async () => {
    const context = { name: 'b', due: () => true, compact: broken }
    const { model, runtime } = setup(['Fine.'], { context, contextWindow: 500 })
    const run = runtime.run('a', 'go', { history: talk(30) })
    const compacted = (await eventsOf(run)).find(event => event.type === 'context.compacted')
    expect(compacted).toMatchObject({ policy: 'b', error: { code: 'internal', detail: 'broken' } })
    expect((await run.result).status).toBe('completed')
    expect(model.requests[0]?.messages.length).toBeLessThan(30)
  })

  it('the journal records the error of a policy even if nothing can be dropped', async () => {
    const { runtime } = setup(['Fine.'], { context: { name: 'b', due: () => true, compact: broken } })
    const run = runtime.run('a', 'go')
    expect((await eventsOf(run)).find(event => event.type === 'context.compacted')).toMatchObject({
      before: { messages: 1 },
      after: { messages: 1 },
      error: { detail: 'broken' },
    })
    expect((await run.result).status).toBe('completed')
  })

  it('a policy that changes nothing leaves no entry', async () => {
    const context: ContextPolicy = { name: 'b', due: () => true, compact: ({ groups }) => ({ view: [...groups] }) }
    const { runtime } = setup(['Fine.'], { context })
    const events = await eventsOf(runtime.run('a', 'go'))
    expect(events.some(event => event.type === 'context.compacted')).toBe(false)
  })

  it('a policy compacts at most once in a turn', async () => {
    let asked = 0
    const compact = (): undefined => {
      asked += 1
    }
    const { runtime } = setup([{ toolCalls: [{ name: 'none' }] }, 'Fine.'], {
      context: { name: 'b', due: () => true, compact },
    })
    expect((await runtime.run('a', 'go').result).status).toBe('completed')
    expect(asked).toBe(2)
  })
})

describe('defineAgent', () => {
  it.each([
    ['context', { context: 'some' }],
    ['context', { context: { name: 'half', due: () => true } }],
    ['tokenCounter', { tokenCounter: { countText: () => 1 } }],
  ])('defineAgent rejects an invalid %s', (field, part) => {
    const agent = { name: 'a', model: scriptedModel([]), ...part } as unknown as Agent
    expect(() => defineAgent(agent)).toThrow(`agents.a.${field}`)
  })
})

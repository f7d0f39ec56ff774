import {
  defineMiddleware,
  messageText,
  ParleyError,
  userMessage,
  type ContextPolicy,
  type Model,
  type RunEventOf,
} from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import {
  createRuntime,
  defineAgent,
  modelSummary,
  phiCompaction,
  slidingWindow,
  summarize,
  truncateOldest,
  turnDigest,
  type Agent,
} from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'
import { eventsOf } from '../runtime/__fixtures__/set-up-agent.ts'
import { charCounter, exchange, scopeOver, textsOf, toolTurn } from './__fixtures__/scope-over.ts'
import { compactContext } from './compact-context.ts'
import { viewOf } from './overlay.ts'

const history = [
  ...exchange(`Find the file. ${'x'.repeat(1_000)}`, 'Which one?'),
  ...exchange('The red one.', 'It is there.'),
  ...exchange('Thanks.', 'You are welcome.'),
]
const usage = { input: 100, output: 20 }
const pricing = { input: 10, output: 50, source: 'test', date: '2026-01-01' }

function setup(context: ContextPolicy, agent: Partial<Agent> = {}) {
  const model = scriptedModel([{ text: 'Answer.', usage }], { id: 'main' })
  const runtime = createRuntime({
    agents: [defineAgent({ name: 'a', model, context, tokenCounter: charCounter, ...agent })],
  })
  return { model, run: () => runtime.run('a', 'Go on.', { history }) }
}

async function compactedBy(run: ReturnType<ReturnType<typeof setup>['run']>): Promise<RunEventOf<'context.compacted'>> {
  const found = (await eventsOf(run)).find(event => event.type === 'context.compacted')
  if (found === undefined) throw new Error('nothing was compacted')
  return found
}

describe('summarize', () => {
  it('lets a model of its own write the summary, and counts what that costs', async () => {
    const cheap = scriptedModel([{ text: 'The red file was found.', usage }], { id: 'cheap', info: { pricing } })
    const { model, run } = setup(summarize({ model: cheap, maxTokens: 900, keepRecentTurns: 1, focus: 'files' }))
    const going = run()
    const entry = await compactedBy(going)
    const result = await going.result
    expect(textsOf(model.requests[0]?.messages ?? [])).toEqual([
      'user: [Summary of the conversation so far]\nThe red file was found.',
      'user: Go on.',
    ])
    const [asked] = cheap.requests
    expect(asked?.system[0]?.text).toContain('files')
    expect(asked?.tools).toEqual([])
    expect(messageText(asked?.messages[0] ?? userMessage(''))).toContain('[Assistant]\nYou are welcome.')
    expect(entry).toMatchObject({ policy: 'summarize', usage, cost: { usd: 0.002, pricedAt: '2026-01-01' } })
    expect(entry.after.tokens).toBeLessThan(900)
    expect(result.usage).toMatchObject({ input: 200, output: 40 })
    expect(result.cost?.usd).toBe(0.002)
    expect(result.turns).toBe(1)
  })

  it('asks through the agent’s middleware', async () => {
    const seen: string[] = []
    const spy = defineMiddleware('spy', () => ({
      model(call, next) {
        seen.push(messageText(call.request.messages.at(-1) ?? userMessage('')).slice(0, 14))
        return next(call)
      },
    }))
    const model = scriptedModel(['The summary.', 'Answer.'])
    const { run } = setup(summarize({ maxTokens: 900 }), { model, middleware: [spy] })
    await run().result
    expect(seen).toEqual(['<conversation>', 'Go on.'])
  })

  it('has everything on disk that led to it before a model is asked', async () => {
    const store = createMemoryStore()
    const stored: number[] = []
    const cheap = scriptedModel(() => 'Short.')
    const stream: typeof cheap.stream = async function* (request, options) {
      const [record] = await store.runs({ scope: 'default' })
      stored.push(record?.seq ?? 0)
      yield* cheap.stream(request, options)
    }
    const context = summarize({ model: { ...cheap, stream }, maxTokens: 900 })
    const agent = defineAgent({ name: 'a', model: scriptedModel(['Answer.']), context, tokenCounter: charCounter })
    await createRuntime({ agents: [agent], store }).run('a', 'Go on.', { history }).result
    expect(stored).toEqual([2])
  })

  it('takes the summary before into the next one, and keeps the request word for word', async () => {
    const asked: string[] = []
    const summary = ({ messages }: Parameters<typeof turnDigest>[0]): string => {
      asked.push(textsOf(messages).join(' | '))
      return `summary ${asked.length}`
    }
    const context = summarize({ maxTokens: 400, keepRecentTurns: 2, summary })
    const run = scopeOver([...history, userMessage('Look into all of them.')], { context })
    expect(await compactContext(run, { turn: 1, trigger: 'due' })).toBe(true)
    for (const [index, id] of ['a', 'b', 'c'].entries()) {
      const turn = index + 1
      const [message, result] = toolTurn(id, 'y'.repeat(100))
      if (message?.role !== 'assistant' || result?.role !== 'tool') throw new Error('no tool turn')
      run.journal.record({ type: 'message.appended', source: 'model', message })
      run.journal.record({ type: 'tool.ended', turn, callId: id, name: 'look', message: result, durationMs: 0 })
    }
    expect(await compactContext(run, { turn: 4, trigger: 'due' })).toBe(true)
    expect(asked[1]).toMatch(/^user: \[Summary of the conversation so far\]\nsummary 1 \|/)
    expect(textsOf(viewOf(run.state)).map(text => text.slice(0, 48))).toEqual([
      'user: [Summary of the conversation so far]\nsumma',
      'user: Look into all of them.',
      'assistant: ',
      `tool: ${'y'.repeat(42)}`,
    ])
  })

  it.each([
    [
      'fails',
      { error: { code: 'model-overloaded', provider: 'scripted', detail: 'busy' } as const, usage },
      'model-overloaded',
    ],
    ['ends without saying why', { text: 'Half a', finish: 'none' as const, usage }, 'model-stream'],
    ['writes nothing', { text: ' ', usage }, 'internal'],
  ])('drops the oldest messages when the model %s, tells why, and counts the attempt', async (_, answer, code) => {
    const broken = scriptedModel([answer], { id: 'broken' })
    const { model, run } = setup(summarize({ model: broken, maxTokens: 900 }))
    const going = run()
    const entry = await compactedBy(going)
    expect((await going.result).status).toBe('completed')
    expect(entry.error?.code).toBe(code)
    expect(entry.usage).toMatchObject(usage)
    expect(textsOf(model.requests[0]?.messages ?? [])).toEqual(textsOf([...history.slice(2), userMessage('Go on.')]))
  })

  it('does the same for a policy that separates a call from its result', async () => {
    const context: ContextPolicy = {
      name: 'careless',
      due: () => true,
      compact: ({ groups }) => ({ view: groups.slice(-1).map(({ messages }) => ({ messages: messages.slice(1) })) }),
    }
    const run = scopeOver([...history, ...toolTurn('a', 'found')], { context })
    expect(await compactContext(run, { turn: 1, trigger: 'due' })).toBe(true)
    expect(textsOf(viewOf(run.state)).at(-1)).toBe('tool: found')
  })

  it('cuts a summary that is too long', async () => {
    const context = summarize({
      maxTokens: 900,
      maxSummaryTokens: 60,
      summary: () => 'word '.repeat(500),
      keepRecentTurns: 1,
    })
    const run = scopeOver([...history, userMessage('Go on.')], { context })
    await compactContext(run, { turn: 1, trigger: 'due' })
    const [text = ''] = textsOf(viewOf(run.state))
    expect(text.length).toBeLessThan(80)
    expect(text).toMatch(/word.*…$/)
  })

  it('stops with the run, keeps what was sent, and still counts what was spent', async () => {
    const slow = scriptedModel([{ text: 'Half', usage, hang: true }])
    const { model, run } = setup(summarize({ model: slow, maxTokens: 900 }))
    const going = run()
    const events = []
    for await (const event of going) {
      events.push(event)
      if (event.type === 'context.compacting') setTimeout(() => void going.cancel(), 5)
    }
    const result = await going.result
    expect(result).toMatchObject({ status: 'cancelled', usage })
    expect(model.requests).toHaveLength(0)
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'context.compacted', after: { messages: 7, tokens: expect.any(Number) } }),
    )
    expect(result.messages).toHaveLength(7)
  })

  it('lets a word that came meanwhile join before the call', async () => {
    const gate = Promise.withResolvers<string>()
    const { model, run } = setup(summarize({ maxTokens: 900, summary: () => gate.promise }))
    const going = run()
    for await (const event of going) {
      if (event.type !== 'context.compacting') continue
      await going.steer('Hurry.')
      gate.resolve('The summary.')
    }
    expect(messageText(model.requests[0]?.messages.at(-1) ?? userMessage(''))).toBe('Hurry.')
  })
})

describe('modelSummary', () => {
  it('goes by the window the agent says, where the agent is who writes', async () => {
    const summary = modelSummary()
    const lengthFor = async (model: Model, asked?: Model): Promise<number> => {
      let length = 0
      await (asked === undefined ? summary : modelSummary({ model: asked }))({
        messages: [userMessage('x'.repeat(50_000))],
        maxTokens: 100,
        focus: undefined,
        model,
        window: 2_000,
        signal: new AbortController().signal,
        count: () => 1,
        ask: async ({ messages }) => {
          length = messages.map(messageText).join('').length
          return { role: 'assistant', content: [{ type: 'text', text: 'Short.' }] }
        },
      })
      return length
    }
    const large = scriptedModel([], { info: { contextWindow: 100_000 } })
    const small = scriptedModel([], { info: { contextWindow: 1_000 } })
    expect(await lengthFor(large)).toBeGreaterThan(2_500)
    expect(await lengthFor(large)).toBeLessThan(3_300)
    expect(await lengthFor(large, small)).toBeLessThan(1_800)
  })

  it('shows the model no more than half of its window', async () => {
    const model = scriptedModel(['Short.'], { info: { contextWindow: 1_000 } })
    const context = summarize({ summary: modelSummary({ model }), maxTokens: 900 })
    const run = scopeOver([...exchange('x'.repeat(50_000), 'y'.repeat(50_000)), userMessage('Go on.')], { context })
    await compactContext(run, { turn: 1, trigger: 'due' })
    const text = messageText(model.requests[0]?.messages[0] ?? userMessage(''))
    expect(text.length).toBeLessThan(1_700)
    expect(text).toContain('[…]')
  })
})

describe('turnDigest', () => {
  it('keeps a line for what was said, those of the user first, and tells how many it left out', async () => {
    const context = summarize({ maxTokens: 900, keepRecentTurns: 1, summary: turnDigest, focus: 'the file' })
    const run = scopeOver([...history, userMessage('Go on.')], { context })
    await compactContext(run, { turn: 1, trigger: 'due' })
    expect(textsOf(viewOf(run.state))).toEqual([
      'user: [Summary of the conversation so far]\nFocus: the file\n[4 lines left out]\nUser: The red one.\nUser: Thanks.',
      'user: Go on.',
    ])
  })

  it('takes over the lines of the digest before', async () => {
    const context = summarize({ maxTokens: 900, keepRecentTurns: 1, summary: turnDigest })
    const run = scopeOver([...history, userMessage('Go on.')], { context })
    await compactContext(run, { turn: 1, trigger: 'due' })
    for (const message of [...exchange('And then?', 'y'.repeat(900)), userMessage('Last one.')]) {
      run.journal.record({ type: 'message.appended', source: 'input', message })
    }
    await compactContext(run, { turn: 2, trigger: 'due' })
    const [text] = textsOf(viewOf(run.state))
    expect(text).toContain('User: Thanks.\n')
    expect(text).toContain('User: And then?')
  })
})

describe('the options of a policy', () => {
  it.each([
    ['slidingWindow.maxMessages', () => slidingWindow({ maxMessages: 0 })],
    ['slidingWindow.maxTokens', () => slidingWindow({ maxTokens: 1.5 })],
    ['slidingWindow.beforeCompaction', () => slidingWindow({ beforeCompaction: true as never })],
    ['slidingWindow.keepSystem', () => slidingWindow({ keepSystem: true } as never)],
    ['truncateOldest.minMessages', () => truncateOldest({ minMessages: -1 })],
    ['truncateOldest.keepSystem', () => truncateOldest({ keepSystem: 'yes' as never })],
    ['summarize.model', () => summarize({ model: 'gpt' as never })],
    ['summarize.keepRecentTurns', () => summarize({ keepRecentTurns: 0 })],
    ['summarize.focus', () => summarize({ focus: 1 as never })],
    ['phiCompaction.compactAtPct', () => phiCompaction({ compactAtPct: 90 })],
    ['phiCompaction.compactAtPct', () => phiCompaction({ compactAtPct: 0.05 })],
    ['phiCompaction.scope', () => phiCompaction({ scope: 'all' as never })],
    ['phiCompaction.toolOutputMaxLines', () => phiCompaction({ toolOutputMaxLines: 0 })],
  ])('are refused by the name of %s', (path, define) => {
    let thrown: unknown
    try {
      define()
    } catch (error) {
      thrown = error
    }
    expect(ParleyError.is(thrown, 'config-invalid') && thrown.info.path).toBe(path)
  })
})

import { summarize, truncateOldest } from '@parley/context-policies'
import {
  defineMiddleware,
  messageText,
  userMessage,
  type ContextPolicy,
  type Message,
  type RunEventOf,
} from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, type Agent } from '../../index.ts'
import { eventsOf } from '../../runtime/__fixtures__/set-up-agent.ts'
import { compactOnce, charCounter, exchange, isDue, scopeOver, textsOf, toolTurn } from './__fixtures__/scope-over.ts'
import { viewOf } from '../../journal/overlay.ts'

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

describe('compaction of a run', () => {
  it.each([
    [undefined, 6],
    [150, 4],
  ])('a run with maxOutputTokens %s and a window of 200 sends at most %i messages', async (maxOutputTokens, most) => {
    const said = [...exchange('one', 'first'), ...exchange('two', 'second'), userMessage('three')]
    const rule: Message = { role: 'system', content: 'Speak softly.' }
    const run = scopeOver([...said.slice(0, 2), rule, ...said.slice(2)], {
      context: truncateOldest(),
      contextWindow: 200,
      settings: { maxOutputTokens },
    })
    if (isDue(run)) await compactOnce(run, { turn: 1, trigger: 'due' })
    const { length } = viewOf(run.state)
    if (maxOutputTokens === undefined) expect(length).toBe(most)
    else expect(length).toBeLessThanOrEqual(most)
  })

  it('a summary is written by the model of the policy, and its usage and cost count in the run', async () => {
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

  it('the model call of a summary passes through the agent’s middleware', async () => {
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

  it('the journal is committed before a summary is requested', async () => {
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

  it.each([
    [
      'fails',
      { error: { code: 'model-overloaded', provider: 'scripted', detail: 'busy' } as const, usage },
      'model-overloaded',
    ],
    ['ends without saying why', { text: 'Half a', finish: 'none' as const, usage }, 'model-stream'],
    ['writes nothing', { text: ' ', usage }, 'internal'],
  ])(
    'a run drops the oldest messages when the summarizing model %s, records the error and counts the attempt',
    async (_, answer, code) => {
      const broken = scriptedModel([answer], { id: 'broken' })
      const { model, run } = setup(summarize({ model: broken, maxTokens: 900 }))
      const going = run()
      const entry = await compactedBy(going)
      expect((await going.result).status).toBe('completed')
      expect(entry.error?.code).toBe(code)
      expect(entry.usage).toMatchObject(usage)
      expect(textsOf(model.requests[0]?.messages ?? [])).toEqual(textsOf([...history.slice(2), userMessage('Go on.')]))
    },
  )

  it('a run drops the oldest messages when a policy separates a call from its result', async () => {
    const context: ContextPolicy = {
      name: 'careless',
      due: () => true,
      compact: ({ groups }) => ({ view: groups.slice(-1).map(({ messages }) => ({ messages: messages.slice(1) })) }),
    }
    const run = scopeOver([...history, ...toolTurn('a', 'found')], { context })
    expect(await compactOnce(run, { turn: 1, trigger: 'due' })).toBe(true)
    expect(textsOf(viewOf(run.state)).at(-1)).toBe('tool: found')
  })

  it('cancelling a run stops its compaction, keeps the context unchanged and counts the tokens spent', async () => {
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

  it('a message steered during a compaction joins before the model call', async () => {
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

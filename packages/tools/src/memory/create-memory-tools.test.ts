import { userMessage, type Store, type ToolContext } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createMemoryTools, type MemoryToolsOptions } from './index.ts'

const facts = { runId: 'r', sessionId: 's', agent: 'a', scope: 'north', path: [], context: undefined }

function openTools(options: Partial<MemoryToolsOptions> = {}) {
  const store = createMemoryStore()
  const memory = options.memory ?? store.notes
  if (memory === undefined) throw new Error('no memory')
  const tools = createMemoryTools({ memory, now: () => Date.UTC(2026, 0, 2), ...options })
  async function call(name: string, input: object, { run, ...context }: Partial<ToolContext> = {}) {
    const tool = tools.find(each => each.name === name)
    const { signal } = new AbortController()
    const rest = { signal, callId: 'c', idempotencyKey: 'r/c', progress: () => {} }
    const outcome = await tool?.execute(input, { ...rest, ...context, run: run ?? facts })
    return outcome as {
      readonly type: string
      readonly content: readonly { text: string }[]
      readonly structured: object
    }
  }
  return {
    store,
    memory,
    tools,
    call,
    text: async (...args: Parameters<typeof call>) => (await call(...args)).content[0]?.text,
  }
}

describe('remember_memory and recall_memory', () => {
  it('recall_memory finds in a later run what remember_memory noted in an earlier one', async () => {
    const { tools } = openTools()
    const model = scriptedModel([
      { toolCalls: [{ name: 'remember_memory', input: { content: 'Ada likes tea', categories: ['drinks'] } }] },
      'Noted.',
      { toolCalls: [{ name: 'recall_memory', input: { query: 'what does ada like' } }] },
      'Tea.',
    ])
    const agent = defineAgent({ name: 'a', model, tools })
    await createRuntime().run(agent, 'one').result
    await createRuntime().run(agent, 'two').result
    expect(JSON.stringify(model.requests[3]?.messages)).toContain('1. 2026-01-02 (drinks): Ada likes tea')
  })

  it('the memory tools declare their effects, and remember_memory writes one note for each idempotency key', async () => {
    const { tools, call, memory } = openTools({ history: createMemoryStore() })
    const effects = tools.map(({ name, effect }) => `${name} ${effect}`)
    expect(effects).toEqual(['recall_memory read', 'remember_memory idempotent', 'search_history read'])
    await call('remember_memory', { content: 'tea' })
    await call('remember_memory', { content: 'tea' })
    await call('remember_memory', { content: 'tea' }, { idempotencyKey: 'r/d' })
    expect((await memory.list({ scope: 'north' })).map(({ id }) => id)).toEqual(['r/d', 'r/c'])
  })

  it('the memory tools use the scope of the run, or the one that the option scope derives from it', async () => {
    const { call, text, memory } = openTools()
    await call('remember_memory', { content: 'tea' })
    expect(await text('recall_memory', { query: 'tea' }, { run: { ...facts, scope: 'south' } })).toMatch(/^No notes/)
    const mine = openTools({ memory, scope: ({ scope, sessionId }) => `${scope}/${sessionId}` })
    await mine.call('remember_memory', { content: 'coffee' })
    expect(await mine.text('recall_memory', { query: 'tea coffee' })).toBe('1. 2026-01-02: coffee')
    expect(await mine.text('recall_memory', { query: 'coffee' }, { run: { ...facts, sessionId: 't' } })).toMatch(
      /^No notes/,
    )
  })

  it('recall_memory returns up to 5 notes by default and counts their uses', async () => {
    const { call, memory } = openTools()
    for (let index = 0; index < 7; index++)
      await call('remember_memory', { content: 'tea', summary: 't' }, { idempotencyKey: `${index}` })
    expect((await call('recall_memory', { query: 'tea' })).structured).toMatchObject({ notes: { length: 5 } })
    const all = (await call('recall_memory', { query: 'tea', limit: 50 })).structured
    expect(all).toMatchObject({ notes: { length: 7, 0: { id: '6', text: 'tea', summary: 't', categories: [] } } })
    const uses = (await memory.list({ scope: 'north' })).map(note => note.uses)
    expect(uses).toEqual([2, 2, 2, 2, 2, 1, 1])
    expect((await memory.get({ scope: 'north', id: '0' }))?.lastUsedAt).toBe(Date.UTC(2026, 0, 2))
  })

  it('the memory tools reject an empty query, an empty note and a note that is too long, and say what to do', async () => {
    const { call, text, memory } = openTools()
    expect(await text('recall_memory', { query: ' ' })).toBe('The query is empty. Say in words what to look for.')
    expect(await text('remember_memory', { content: ' ' })).toBe('The content is empty. Say what to remember.')
    const long = await call('remember_memory', { content: 'x', categories: ['y'.repeat(10_000)] })
    expect(long).toMatchObject({ type: 'error' })
    expect(long.content[0]?.text).toContain('10001 characters; the limit is 10000')
    expect(await memory.list({ scope: 'north' })).toEqual([])
  })
})

describe('search_history', () => {
  async function say(
    store: Store,
    runId: string,
    {
      scope = 'north',
      sessionId = runId,
      texts = ['hello'],
      at = 1,
      relation = 'initial' as const as 'initial' | 'sub-agent',
    },
  ) {
    const first = {
      v: 1 as const,
      seq: 1,
      at,
      type: 'run.started' as const,
      agent: 'a',
      model: 'p/m',
      sessionId,
      scope,
      relation,
    }
    const said = texts.map((text, index) => ({
      v: 1 as const,
      seq: index + 2,
      at: at + index,
      type: 'message.appended' as const,
      source: 'input' as const,
      message: userMessage(text),
    }))
    await store.append({ runId, worker: 'w', fence: 1, expectedSeq: 0, entries: [first, ...said] })
  }
  async function openHistory(options: Partial<MemoryToolsOptions> = {}) {
    const store = createMemoryStore()
    return { ...openTools({ history: store, ...options }), store }
  }

  it('search_history finds messages of other sessions, the best session first, with its best passage', async () => {
    const { store, call } = await openHistory()
    await say(store, 'a', {
      at: 1,
      texts: ['We talked about tea.', `${'word '.repeat(100)}and oolong tea ${'word '.repeat(100)}`],
    })
    await say(store, 'b', { at: 50, texts: ['Green tea, please.'] })
    await say(store, 'c', { at: 60, texts: ['Nothing.'] })
    const { structured, content } = await call('search_history', { query: 'oolong tea' })
    expect(structured).toMatchObject({
      sessions: [
        { sessionId: 'a', at: 2, role: 'user' },
        { sessionId: 'b', text: 'Green tea, please.' },
      ],
    })
    expect(content[0]?.text).toMatch(
      /^1\. 1970-01-01T00:00:00\.002Z, session a, user: (word )+and oolong tea (word ?)+\n2\. .*Green tea, please\.$/,
    )
    expect(content[0]?.text.split('\n')[0]?.length).toBeLessThan(320)
    expect((await call('search_history', { query: 'tea', limit: 1 })).structured).toMatchObject({
      sessions: { length: 1 },
    })
  })

  it('search_history shows nothing of the run’s own session, of another scope, or of a sub-agent', async () => {
    const { store, text } = await openHistory()
    await say(store, 'own', { sessionId: 's', texts: ['tea'] })
    await say(store, 'theirs', { scope: 'south', texts: ['tea'] })
    await say(store, 'sub', { relation: 'sub-agent', texts: ['tea'] })
    expect(await text('search_history', { query: 'tea' })).toMatch(/^No message has these words/)
    expect(await text('search_history', { query: '' })).toMatch(/^The query is empty/)
  })

  it('search_history searches only the newest maxRuns runs', async () => {
    const { store, text } = await openHistory({ maxRuns: 2 })
    for (const [index, runId] of ['old', 'new', 'newest'].entries())
      await say(store, runId, { at: index, texts: ['tea'] })
    const found = await text('search_history', { query: 'tea' })
    expect(found).toMatch(/session newest.*\n2\..*session new,/)
    expect(found).not.toContain('old')
  })

  it('search_history stops when its call is aborted', async () => {
    const { store, tools } = await openHistory()
    const controller = new AbortController()
    for (const runId of ['a', 'b']) await say(store, runId, {})
    const reads: string[] = []
    const history = {
      runs: store.runs,
      read: async (runId: string) => {
        reads.push(runId)
        controller.abort(new Error('stopped'))
        return []
      },
    }
    const [, , search] = createMemoryTools({ memory: store.notes ?? never(), history })
    const context = { signal: controller.signal, callId: 'c', idempotencyKey: 'k', progress: () => {}, run: facts }
    await expect(search?.execute({ query: 'tea' }, context)).rejects.toThrow('stopped')
    expect(reads).toEqual(['b'])
    expect(tools).toHaveLength(3)
  })
})

function never(): never {
  throw new Error('a memory store has a memory')
}

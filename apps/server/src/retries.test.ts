import { createOpenAI } from '@ai-sdk/openai'
import { ChatOpenAI } from '@langchain/openai'
import { ParleyError } from '@parley/core'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock } from '@parley/testing'
import { generateText } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it, vi } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { compose, createTestApp, openTestServer } from './__fixtures__/open-test-server.ts'
import { bookingAgent, overloaded } from './__fixtures__/booking-agent.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask, eventsOf, readUntil } from './__fixtures__/sse.ts'

const failing = () => bookingAgent(() => ({ error: overloaded }))
const chat = { model: 'guide', messages: [{ role: 'user' as const, content: 'Book it.' }] }

/** Each client with its own default number of retries. */
const CLIENTS: readonly (readonly [string, (url: string) => Promise<unknown>])[] = [
  ['the openai SDK', url => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat.completions.create(chat)],
  [
    '@ai-sdk/openai',
    url =>
      generateText({ model: createOpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }).chat('guide'), prompt: 'Book it.' }),
  ],
  [
    'LangChain',
    url =>
      new ChatOpenAI({ model: 'guide', apiKey: 'none', configuration: { baseURL: `${url}/v1` } }).invoke('Book it.'),
  ],
]

describe('a client that retries', () => {
  it.each(CLIENTS)(
    '%s does not repeat a run that failed after an effect',
    covers('openai SDK: failure', 'AI SDK with its OpenAI provider: failure', 'LangChain: failure'),
    async (_, send) => {
      const { ledger, ...options } = failing()
      await using served = await openTestServer(options)
      await expect(send(served.url)).rejects.toThrow(/overloaded/i)
      expect(await served.store.runs({ scope: 'default' })).toHaveLength(1)
      expect(ledger).toHaveLength(1)
    },
  )

  it.each(CLIENTS)('%s does not repeat a run that is suspended for approval', async (_, send) => {
    await using served = await openTestServer({ script: () => ({ toolCalls: [{ name: 'pay' }] }) })
    await expect(send(served.url)).rejects.toThrow(/approval/)
    expect(await served.store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('the answer of a failed chat completion tells clients not to retry, with a status that none retries', async () => {
    const { ledger: _, ...options } = failing()
    const { send } = createTestApp(options)
    const answer = await send('/v1/chat/completions', { json: chat })
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(await problemOf(answer)).toBe('400 MODEL_EXECUTION_FAILED')
  })

  it('the openai SDK that loses its connection is answered by the run that it began', async () => {
    const { ledger, ...options } = bookingAgent(() => ({ text: 'Booked.', until: until.promise }))
    const until = Promise.withResolvers<void>()
    await using served = await openTestServer(options)
    const attempts: string[] = []
    const client = new OpenAI({
      baseURL: `${served.url}/v1`,
      apiKey: 'none',
      maxRetries: 1,
      fetch: async (url, init) => {
        attempts.push(url instanceof Request ? url.url : url.toString())
        if (attempts.length > 1) return fetch(url, init)
        const gone = new AbortController()
        const first = fetch(url, { ...init, signal: gone.signal })
        await vi.waitFor(() => expect(ledger).toHaveLength(1), 30_000)
        gone.abort()
        await first.catch(() => {})
        until.resolve()
        throw new TypeError('fetch failed')
      },
    })
    const completion = await client.chat.completions.create(chat)
    expect(completion.choices[0]?.message.content).toBe('Booked.')
    expect(attempts).toHaveLength(2)
    expect(completion.id).toBe(`chatcmpl_${ledger[0]}`)
    expect(ledger).toHaveLength(1)
  })

  it('ten clients that send each of five failing requests four times begin fifty runs with one effect each', async () => {
    const { ledger, ...options } = failing()
    await using served = await openTestServer(options)
    const send = async (client: number, request: number): Promise<void> => {
      const body = JSON.stringify({ ...chat, user: `client ${client}`, seed: request })
      for (let attempt = 0; attempt < 4; attempt++) {
        const answer = await fetch(`${served.url}/v1/chat/completions`, { method: 'POST', body })
        expect(await problemOf(answer)).toBe('400 MODEL_EXECUTION_FAILED')
      }
    }
    const all = Array.from({ length: 10 }, (_, client) => [0, 1, 2, 3, 4].map(request => send(client, request)))
    await Promise.all(all.flat())
    expect(await served.store.runs({ scope: 'default' })).toHaveLength(50)
    expect(new Set(ledger).size).toBe(50)
    expect(ledger).toHaveLength(50)
  })
})

describe('a request that is sent again', () => {
  it('an equal request whose first client has left is answered by the same run, and the next one by a new run', async () => {
    const until = Promise.withResolvers<void>()
    const { ledger, ...options } = bookingAgent(() => ({ text: 'Booked.', until: until.promise }))
    const { send } = createTestApp(options)
    const leave = new AbortController()
    void send('/v1/chat/completions', { json: chat, signal: leave.signal })
    await vi.waitFor(() => expect(ledger).toHaveLength(1), 30_000)
    leave.abort()
    const again = [send('/v1/chat/completions', { json: chat }), send('/v1/chat/completions', { json: chat })]
    await vi.waitFor(() => expect(ledger).toHaveLength(2), 30_000)
    until.resolve()
    const ids = await Promise.all(again.map(async answer => ((await (await answer).json()) as { id: string }).id))
    expect(new Set(ids)).toEqual(new Set(ledger.map(runId => `chatcmpl_${runId}`)))
  })

  it('a retry of a request that was refused begins a run, though an equal request has one', async () => {
    const { ledger, ...options } = bookingAgent(() => 'Booked.')
    const { send, app } = createTestApp({ ...options, limits: { maxRuns: 1 } })
    const [first, refused] = await Promise.all([
      send('/v1/chat/completions', { json: chat }),
      send('/v1/chat/completions', { json: chat }),
    ])
    expect([first?.status, refused?.status].toSorted((a = 0, b = 0) => a - b)).toEqual([200, 503])
    expect(app.runs).toBe(0)
    const headers = { 'x-stainless-retry-count': '1' }
    expect((await send('/v1/chat/completions', { json: chat, headers })).status).toBe(200)
    expect(ledger).toHaveLength(2)
  })

  it('equal requests whose readers stay begin a run each', async () => {
    const { ledger, ...options } = bookingAgent(() => 'Booked.')
    await using served = await openTestServer(options)
    const post = () => fetch(`${served.url}/process`, { method: 'POST', body: JSON.stringify(ask()) })
    await Promise.all([post(), post(), post()].map(async each => (await each).text()))
    await (await post()).text()
    expect(ledger).toHaveLength(4)
  })

  it('a request that follows a failure begins a new run after retryWindowMs', async () => {
    const { ledger, ...options } = bookingAgent(run => (run === 1 ? { error: overloaded } : 'Booked.'))
    const { send } = createTestApp({ ...options, retryWindowMs: 0 })
    const post = () => send('/process', { json: ask('go', { stream: false }) }).then(answer => answer.json())
    expect(await post()).toMatchObject({ status: 'failed' })
    expect(await post()).toMatchObject({ status: 'completed' })
    expect(ledger).toHaveLength(2)
  })

  it('a request that follows a failure is answered by the failed run for retryWindowMs', async () => {
    const { ledger, ...options } = bookingAgent(run => (run === 1 ? { error: overloaded } : 'Booked.'))
    const clock = fakeClock()
    const { send } = createTestApp({ ...options, clock, retryWindowMs: 5_000 })
    const post = () => send('/process', { json: ask('go', { stream: false }) }).then(answer => answer.json())
    const first = (await post()) as { readonly id: string }
    await clock.advance(4_999)
    expect(await post()).toMatchObject({ status: 'failed', id: first.id })
    await clock.advance(1)
    expect(await post()).toMatchObject({ status: 'completed' })
    expect(ledger).toHaveLength(2)
  })

  it('a stream of a chat completion that is suspended for approval is answered by the same run when it is sent again', async () => {
    const { send, store } = createTestApp({ script: () => ({ toolCalls: [{ name: 'pay' }] }) })
    for (let attempt = 0; attempt < 3; attempt++) {
      const stream = await (await send('/v1/chat/completions', { json: { ...chat, stream: true } })).text()
      expect(stream).toContain('cannot approve it')
    }
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('a chat completion that is suspended for approval is answered by the same run when it is sent again', async () => {
    const { send, store } = createTestApp({ script: () => ({ toolCalls: [{ name: 'pay' }] }) })
    for (let attempt = 0; attempt < 3; attempt++)
      expect((await send('/v1/chat/completions', { json: chat })).status).toBe(400)
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('a request that breaks after its run has begun tells clients not to retry, with a status that none retries', async () => {
    const { runtime, ...options } = compose({})
    const fault = new ParleyError({ code: 'store-unavailable', store: 'sqlite', detail: 'locked' })
    const run: typeof runtime.run = (...order) => {
      const begun = runtime.run(...order)
      const breakOnce = (): never => {
        Reflect.deleteProperty(begun, Symbol.asyncIterator)
        throw fault
      }
      return Object.defineProperty(begun, Symbol.asyncIterator, { value: breakOnce, configurable: true })
    }
    const { send } = createTestApp({ ...options, runtime: { ...runtime, run } })
    const answer = await send('/ag-ui', { json: { threadId: 't', runId: 'r', messages: chat.messages } })
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(answer.status).toBe(400)
  })

  it.each([
    ['/process', ask('go', { stream: false }), 'id'],
    ['/v1/responses', { input: 'go' }, 'id'],
    ['/v1/chat/completions', chat, 'id'],
  ])('two requests to %s with one idempotency key get the same run', async (path, json, field) => {
    const { ledger, ...options } = bookingAgent(() => 'Booked.')
    const { send, store } = createTestApp(options)
    const headers = { 'idempotency-key': 'order-7' }
    const post = async () => (await (await send(path, { json, headers })).json()) as Record<string, unknown>
    const [first, second] = await Promise.all([post(), post()])
    const third = await post()
    expect(first[field]).toEqual(expect.any(String))
    expect([second?.[field], third[field]]).toEqual([first[field], first[field]])
    expect(JSON.stringify(third)).toContain('Booked.')
    expect(ledger).toHaveLength(1)
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it.each([
    ['/process', ask()],
    ['/v1/responses', { input: 'go', stream: true }],
    ['/v1/chat/completions', { ...chat, stream: true }],
    ['/ag-ui', { threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }],
    ['/api/chat', { id: 'chat', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }],
  ])('a stream of %s that is requested again with its idempotency key has the whole answer', async (path, json) => {
    const { ledger, ...options } = bookingAgent(() => 'Booked.')
    const { send } = createTestApp(options)
    const headers = { 'idempotency-key': 'order-7' }
    const first = await (await send(path, { json, headers })).text()
    const again = await (await send(path, { json, headers })).text()
    expect(first).toContain('Booked.')
    expect(again).toContain('Booked.')
    expect(ledger).toHaveLength(1)
  })

  it('an idempotency key finds the run of an earlier process on the same store', async () => {
    const store = createMemoryStore()
    const headers = { 'idempotency-key': 'order-7' }
    const { ledger, ...options } = bookingAgent(() => 'Booked.')
    for (let process = 0; process < 2; process++) {
      const { send } = createTestApp({ ...options, store })
      const answer = await send('/v1/chat/completions', { json: chat, headers })
      expect(await answer.text()).toContain('Booked.')
    }
    expect(ledger).toHaveLength(1)
  })

  it('an idempotency key of another request is rejected with 422', async () => {
    const { send, store } = createTestApp({ script: ['One.', 'Two.'] })
    const headers = { 'idempotency-key': 'order-7' }
    await (await send('/process', { json: ask('one'), headers })).text()
    const later = createTestApp({ store })
    for (const app of [send, later.send])
      expect(await problemOf(await app('/process', { json: ask('two'), headers }))).toBe('422 INVALID_PARAMETER')
    const json = { threadId: 't', runId: 'r', messages: chat.messages }
    const chatHeaders = { 'idempotency-key': 'order-8' }
    await (await send('/ag-ui', { json, headers: chatHeaders })).text()
    expect(await problemOf(await send('/ag-ui/guide', { json, headers: chatHeaders }))).toBe('422 INVALID_PARAMETER')
    expect(await problemOf(await send('/process', { json: ask(), headers: { 'idempotency-key': '' } }))).toMatch(/^400/)
  })

  it('a request with an idempotency key that could not begin a run begins one later', async () => {
    const { send, app } = createTestApp({ script: [{ text: 'Long', hang: true }, 'Done.'], limits: { maxRuns: 1 } })
    await readUntil(await send('/process', { json: ask('go', { id: 'mine' }) }), '"delta":true')
    const headers = { 'idempotency-key': 'order-7' }
    expect(await problemOf(await send('/process', { json: ask(), headers }))).toBe('503 SERVICE_UNAVAILABLE')
    await send('/process/mine/cancel', { json: {} })
    expect(app.runs).toBe(0)
    const events = eventsOf(await (await send('/process', { json: ask(), headers })).text())
    expect(events.at(-1)).toMatchObject({ status: 'completed' })
  })
})

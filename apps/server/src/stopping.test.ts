import { HttpAgent } from '@ag-ui/client'
import { defineTool, type Store } from '@parley/core'
import { fakeClock, type Script } from '@parley/testing'
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it, vi } from 'vitest'
import { covers } from './__fixtures__/client-cells.ts'
import { createTestApp, openTestServer } from './__fixtures__/open-test-server.ts'
import { problemOf } from './__fixtures__/problem-of.ts'
import { ask, readUntil } from './__fixtures__/sse.ts'

const long: Script = [{ text: 'The quick brown fox', hang: true }, 'Hello again.']
const scope = 'default'

/** The chat completion, AG-UI, AI SDK, Agent API and Responses requests of one session each. */
const REQUESTS: readonly (readonly [string, string, object, 'continue' | 'cancel'])[] = [
  [
    'openai-chat',
    '/v1/chat/completions',
    { model: 'guide', messages: [{ role: 'user', content: 'go' }], stream: true },
    'cancel',
  ],
  ['ag-ui', '/ag-ui', { threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }, 'cancel'],
  [
    'ai-sdk-ui',
    '/api/chat',
    { id: 'chat', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] },
    'cancel',
  ],
  ['agent-api', '/process', ask(), 'continue'],
  ['openai-responses', '/v1/responses', { input: 'go', stream: true }, 'continue'],
]

/** A tool that ends when its gate opens, and does not stop before. */
function stubbornTool() {
  const gate = Promise.withResolvers<string>()
  const tool = defineTool({ name: 'busy', description: 'd', input: { type: 'object' }, execute: () => gate.promise })
  return { tool, gate }
}

async function untilToolStarts(store: Store): Promise<void> {
  await vi.waitFor(async () => {
    const [run] = await store.runs({ scope })
    expect((await store.read(run?.runId ?? '')).at(-1)?.type).toBe('tool.started')
  }, 30_000)
}

/** Gives the server enough turns to read the requests, which then wait. */
async function untilRequestsWait(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
}

describe('a client that stops', () => {
  it('the stop of an AI SDK chat cancels the run, and the next message is answered', async () => {
    await using served = await openTestServer({ script: long })
    const transport = new DefaultChatTransport({ api: `${served.url}/api/chat` })
    const message = (id: string, text: string): UIMessage => ({ id, role: 'user', parts: [{ type: 'text', text }] })
    const send = (messages: UIMessage[], abortSignal: AbortSignal | undefined) =>
      transport.sendMessages({ chatId: 'chat', messageId: undefined, abortSignal, trigger: 'submit-message', messages })
    const stop = new AbortController()
    const first = await send([message('q', 'Go.')], stop.signal)
    for await (const each of readUIMessageStream({ stream: first })) if (JSON.stringify(each).includes('fox')) break
    stop.abort()
    // The chat sends the next message at once, on another connection.
    const second = await send([message('q', 'Go.'), message('q2', 'Again.')], undefined)
    let last: UIMessage | undefined
    for await (const each of readUIMessageStream({ stream: second, terminateOnError: true })) last = each
    expect(last?.parts.at(-1)).toMatchObject({ text: 'Hello again.' })
    const statuses = (await served.store.runs({ scope })).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['cancelled', 'completed'])
  })

  it(
    'the abort of an AG-UI client cancels the run, and its next run is answered',
    covers('AG-UI client: stop'),
    async () => {
      await using served = await openTestServer({ script: long })
      const agent = new HttpAgent({ url: `${served.url}/ag-ui`, threadId: 'thread-1' })
      agent.setMessages([{ id: 'q', role: 'user', content: 'Go.' }])
      await agent
        .runAgent({}, { onTextMessageContentEvent: () => agent.abortRun() })
        .catch((error: unknown) => expect(String(error)).toMatch(/abort/i))
      agent.addMessage({ id: 'q2', role: 'user', content: 'Again.' })
      await agent.runAgent()
      expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Hello again.' })
      const statuses = (await served.store.runs({ scope })).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(['cancelled', 'completed'])
    },
  )

  it('the abort of a stream of the openai SDK cancels the run', covers('openai SDK: stop'), async () => {
    await using served = await openTestServer({ script: long })
    const { completions } = new OpenAI({ baseURL: `${served.url}/v1`, apiKey: 'none' }).chat
    const messages = [{ role: 'user' as const, content: 'Go.' }]
    const stream = await completions.create({ model: 'guide', messages, stream: true })
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content?.includes('fox')) break
    stream.controller.abort()
    await vi.waitFor(
      async () => expect(await served.store.runs({ scope, status: 'cancelled' })).toHaveLength(1),
      30_000,
    )
  })

  it('a request that equals the one that its client stopped begins a run of its own', async () => {
    const { send, store } = createTestApp({ script: long })
    const json = { threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }
    await readUntil(await send('/ag-ui', { json }), 'fox')
    expect(await (await send('/ag-ui', { json })).text()).toContain('"outcome":{"type":"success"}')
    expect(await store.runs({ scope })).toHaveLength(2)
  })

  it('an AI SDK chat reads the answer that is being written again after a reload, and gets 204 when it is complete', async () => {
    const until = Promise.withResolvers<void>()
    const script: Script = [{ toolCalls: [{ name: 'weather' }] }, { text: 'Sunny.', until: until.promise }]
    await using served = await openTestServer({ script, onDisconnect: { 'ai-sdk-ui': 'continue' } })
    const transport = new DefaultChatTransport({ api: `${served.url}/api/chat` })
    const messages: UIMessage[] = [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }]
    const given = { chatId: 'chat', messageId: undefined, abortSignal: undefined, messages } as const
    const first = await transport.sendMessages({ ...given, trigger: 'submit-message' })
    for await (const each of readUIMessageStream({ stream: first })) if (JSON.stringify(each).includes('sunny')) break
    const again = await transport.reconnectToStream({ chatId: 'chat' })
    until.resolve()
    let last: UIMessage | undefined
    if (again !== null) for await (const each of readUIMessageStream({ stream: again })) last = each
    expect(last?.parts.map(({ type }) => type)).toEqual(['step-start', 'dynamic-tool', 'step-start', 'text'])
    expect(last?.parts.at(-1)).toMatchObject({ text: 'Sunny.' })
    expect(await transport.reconnectToStream({ chatId: 'chat' })).toBeNull()
  })

  it.each(REQUESTS)('onDisconnect of %s is obeyed, and its default is as documented', async (protocol, ...request) => {
    const [path, json, rule] = request
    for (const onDisconnect of [undefined, 'cancel', 'continue'] as const) {
      const until = Promise.withResolvers<void>()
      const script: Script = [{ text: 'Well', until: until.promise }, 'Done.']
      const given = onDisconnect === undefined ? {} : { onDisconnect: { [protocol]: onDisconnect } }
      const { send, store, app } = createTestApp({ script, ...given })
      const response = await send(path, { json })
      await response.body?.cancel()
      until.resolve()
      await vi.waitFor(() => expect(app.runs).toBe(0), 30_000)
      const [run] = await store.runs({ scope })
      expect(run?.status).toBe((onDisconnect ?? rule) === 'cancel' ? 'cancelled' : 'completed')
    }
  })

  it('a client of the reference that leaves cancels its run', async () => {
    const { send, store, app } = createTestApp({ script: long, profile: 'reference' })
    await readUntil(await send('/process', { json: ask() }), '"delta":true')
    await vi.waitFor(() => expect(app.runs).toBe(0), 30_000)
    expect(await store.runs({ scope, status: 'cancelled' })).toHaveLength(1)
  })

  it('a background response continues when its client leaves, whatever onDisconnect says', async () => {
    const until = Promise.withResolvers<void>()
    const { send, store, app } = createTestApp({
      script: [{ text: 'Well', until: until.promise }],
      onDisconnect: 'cancel',
    })
    const leave = new AbortController()
    await send('/process', { json: ask('go', { background: true }), signal: leave.signal })
    leave.abort()
    until.resolve()
    await vi.waitFor(() => expect(app.runs).toBe(0), 30_000)
    expect(await store.runs({ scope, status: 'completed' })).toHaveLength(1)
  })
})

describe('a message for a session that has an unfinished run', () => {
  const json = (text: string) => ask(text, { session_id: 'talk', stream: false })

  it('a message is refused with 409 by default', async () => {
    const { send } = createTestApp({ script: long })
    const first = await send('/process', { json: ask('one', { session_id: 'talk', id: 'mine' }) })
    expect(await problemOf(await send('/process', { json: json('two') }))).toBe('409 SESSION_BUSY')
    await first.body?.cancel()
    await send('/process/mine/cancel', { json: {} })
  })

  it.each(REQUESTS.slice(1, 3))('a message of %s waits by default', async (_, path, body) => {
    const until = Promise.withResolvers<void>()
    const { send, store } = createTestApp({ script: [{ text: 'One.', until: until.promise }, 'Two.'] })
    const first = await send(path, { json: body })
    const second = send(path, { json: { ...body, again: true } })
    until.resolve()
    expect(await first.text()).toContain('One.')
    expect(await (await second).text()).toContain('Two.')
    expect(await store.runs({ scope, status: 'completed' })).toHaveLength(2)
  })

  it('a message waits for the run that its client has stopped, though onBusy is refuse', async () => {
    const { tool, gate } = stubbornTool()
    const script: Script = [{ toolCalls: [{ name: 'busy' }] }, 'Hello again.']
    const { send, store } = createTestApp({ script, agent: { tools: [tool] }, onDisconnect: 'cancel' })
    const first = await send('/process', { json: ask('one', { session_id: 'talk' }) })
    await untilToolStarts(store)
    await first.body?.cancel()
    const second = send('/process', { json: json('two') })
    await untilRequestsWait()
    gate.resolve('done')
    expect(await (await second).text()).toContain('Hello again.')
  })

  it('onBusy queue answers the messages of a session one after the other, in the order of their requests', async () => {
    const until = Promise.withResolvers<void>()
    const script: Script = [{ text: 'One.', until: until.promise }, 'Two.', 'Three.']
    const { send } = createTestApp({ script, onBusy: 'queue' })
    const answers = ['one', 'two', 'three'].map(text => send('/process', { json: json(text) }))
    until.resolve()
    const texts = await Promise.all(answers.map(async answer => (await answer).text()))
    expect(texts.map(text => /One|Two|Three/.exec(text)?.[0])).toEqual(['One', 'Two', 'Three'])
  })

  it('a queued message whose client leaves begins no run', async () => {
    const until = Promise.withResolvers<void>()
    const { send, store } = createTestApp({ script: [{ text: 'One.', until: until.promise }], onBusy: 'queue' })
    const first = send('/process', { json: json('one') })
    const leave = new AbortController()
    const second = send('/process', { json: json('two'), signal: leave.signal })
    await untilRequestsWait()
    leave.abort()
    expect((await second).status).toBe(499)
    until.resolve()
    expect((await first).status).toBe(200)
    expect(await store.runs({ scope })).toHaveLength(1)
  })

  it('onBusy cancel cancels the unfinished run and answers the message', async () => {
    const { send, store } = createTestApp({ script: long, onBusy: { 'agent-api': 'cancel' } })
    await readUntil(await send('/process', { json: ask('one', { session_id: 'talk' }) }), '"delta":true')
    expect(await (await send('/process', { json: json('two') })).text()).toContain('Hello again.')
    expect(await store.runs({ scope, status: 'cancelled' })).toHaveLength(1)
  })

  it('onBusy cancel cancels a run that is suspended for approval; other values refuse the message', async () => {
    const script: Script = [{ toolCalls: [{ name: 'pay' }] }, 'Hello again.']
    for (const onBusy of ['queue', 'cancel'] as const) {
      const { send, store } = createTestApp({ script, onBusy })
      await (await send('/process', { json: json('one') })).text()
      const answer = await send('/process', { json: json('two') })
      if (onBusy === 'queue') expect(await problemOf(answer)).toBe('409 SESSION_BUSY')
      else {
        expect(await answer.text()).toContain('Hello again.')
        expect(await store.runs({ scope, status: 'cancelled' })).toHaveLength(1)
      }
    }
  })

  it('onBusy cancel cancels a run that another server drives', async () => {
    const first = createTestApp({ script: long })
    const second = createTestApp({ script: ['Hello again.'], store: first.store, onBusy: 'cancel' })
    await readUntil(await first.send('/process', { json: ask('one', { session_id: 'talk' }) }), '"delta":true')
    expect(await (await second.send('/process', { json: json('two') })).text()).toContain('Hello again.')
    expect(await first.store.runs({ scope, status: 'cancelled' })).toHaveLength(1)
  })

  it.each(['this server', 'another server'])(
    'onBusy cancel refuses the message if a run of %s does not stop',
    async at => {
      const { tool, gate } = stubbornTool()
      const script: Script = [{ toolCalls: [{ name: 'busy' }] }, 'Done.']
      const clock = fakeClock()
      const first = createTestApp({ script, agent: { tools: [tool] }, onBusy: 'cancel', clock })
      const second = at === 'this server' ? first : createTestApp({ store: first.store, onBusy: 'cancel', clock })
      await first.send('/process', { json: ask('one', { session_id: 'talk', background: true }) })
      await untilToolStarts(first.store)
      const answer = second.send('/process', { json: json('two') })
      await vi.waitFor(() => expect(clock.pending).toBe(1), 30_000)
      await clock.advance(30_000)
      expect(await problemOf(await answer)).toBe('409 SESSION_BUSY')
      gate.resolve('done')
      await vi.waitFor(() => expect(first.app.runs).toBe(0), 30_000)
    },
  )

  it.each([{ onBusy: 'wait' as never }, { onDisconnect: { http: 'cancel' } as never }, { retryWindowMs: -1 }])(
    'createServerApp rejects %j',
    options => {
      expect(() => createTestApp(options)).toThrow(/onBusy|onDisconnect|retryWindowMs/)
    },
  )
})

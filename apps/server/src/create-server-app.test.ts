import { ENTRY_VERSION } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it, vi } from 'vitest'
import { createServerApp } from './create-server-app.ts'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { problemOf, type ProblemBody } from './__fixtures__/problem-of.ts'
import { ask, eventsOf, readUntil } from './__fixtures__/sse.ts'

const hang: Script = [{ text: 'The quick brown fox', hang: true }]
const paying: Script = [{ toolCalls: [{ name: 'pay', input: { sum: 3 } }] }, 'Paid.']
const loop: Script = [{ text: 'Let me look. ', toolCalls: [{ name: 'weather' }] }, 'Sunny.']

describe('createServerApp', () => {
  const agents = [defineAgent({ name: 'guide', model: scriptedModel(['Hello there.']) })]

  it('a server needs only a runtime: it serves its agents and keeps their runs in its store', async () => {
    const store = createMemoryStore()
    const app = createServerApp({ runtime: createRuntime({ agents, store }) })
    const body = JSON.stringify({ ...ask(), model: 'guide', stream: false })
    const response = await app.fetch(new Request('http://127.0.0.1/process', { method: 'POST', body }))
    expect(response.status).toBe(200)
    expect(await store.runs({ scope: 'default' })).toHaveLength(1)
  })

  it('a server refuses a runtime without a store or without agents and says what is missing', () => {
    expect(() => createServerApp({ runtime: createRuntime({ agents }) })).toThrow(/has no store.*createRuntime/)
    const runtime = createRuntime({ store: createMemoryStore() })
    expect(() => createServerApp({ runtime })).toThrow(/must have at least one agent/)
  })
})

describe('a request', () => {
  it('POST /process answers with a stream, or with the whole response if stream is false', async () => {
    const { send } = createTestApp({ script: ['One.', 'Two.'] })
    const streamed = await send('/process', { json: ask() })
    expect(streamed.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(eventsOf(await streamed.text()).at(-1)).toMatchObject({ object: 'response', status: 'completed' })
    const whole = await (await send('/process', { json: ask('go', { stream: false }) })).json()
    expect(whole).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Two.' }] }] })
  })

  it('a request selects the agent by name and sets the settings of its model', async () => {
    const { send } = createTestApp()
    const unfit = await send('/process', { json: ask('go', { top_p: 'high' }) })
    expect(await problemOf(unfit)).toBe('400 INVALID_PARAMETER')
    // The protocol accepts every number.
    for (const top_p of [0.5, 5]) {
      expect((await send('/process', { json: ask('go', { top_p, model: 'guide' }) })).status).toBe(200)
    }
  })

  it('POST /process takes the id of the response from response_id', async () => {
    const { send } = createTestApp()
    const asked = await send('/process', { json: ask('go', { stream: false, response_id: 'mine' }) })
    expect(await asked.json()).toMatchObject({ id: 'mine', status: 'completed' })
    expect((await send('/process/mine/events')).status).toBe(200)
  })

  it.each([
    { input: [] },
    { input: [{ role: 'user', content: [] }] },
    { input: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
  ])('POST /process completes without asking the model if there is nothing to answer: %j', async body => {
    const model = scriptedModel(['Never asked.'])
    const { send } = createTestApp({ agent: { model } })
    const answer = await send('/process', { json: { ...body, stream: false } })
    expect(await answer.json()).toMatchObject({ object: 'response', status: 'completed', output: [] })
    expect(model.requests).toEqual([])
  })

  it('a request that ends in the output of a tool asks the model without an empty user message', async () => {
    const model = scriptedModel(['Sunny.', 'Never asked.'])
    const { send } = createTestApp({ agent: { model } })
    const data = (type: string, role: string, value: object) => ({
      type,
      role,
      content: [{ type: 'data', data: value }],
    })
    const input = [
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      data('function_call', 'assistant', { call_id: 'c', name: 'weather', arguments: '{}' }),
      data('function_call_output', 'tool', { call_id: 'c', name: 'weather', output: 'sunny' }),
    ]
    const answer = await send('/process', { json: { input, stream: false, session_id: 's' } })
    expect(await answer.json()).toMatchObject({ status: 'completed', output: [{ content: [{ text: 'Sunny.' }] }] })
    expect(model.requests[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])

    // The session has its own messages now, so the output would be lost.
    const again = await send('/process', { json: { input: input.slice(1), stream: false, session_id: 's' } })
    expect(await problemOf(again)).toBe('409 CONFLICT')
    expect(model.requests).toHaveLength(1)
  })

  it('the settings of a request override those of the agent and are stored with the run', async () => {
    const model = scriptedModel(() => 'Fine.')
    const { send, store } = createTestApp({ agent: { model, settings: { temperature: 0.1, seed: 1 } } })
    const openAi = (more: object) => send('/v1/responses', { json: { input: 'go', ...more } })
    const first = (await (await openAi({ temperature: 0.7 })).json()) as { id: string }
    await openAi({ previous_response_id: first.id })
    await openAi({ previous_response_id: first.id })
    expect(model.requests.map(({ settings }) => settings)).toEqual([
      { temperature: 0.7, seed: 1 },
      { temperature: 0.1, seed: 1 },
      // A branch, too, uses only the settings of its own request.
      { temperature: 0.1, seed: 1 },
    ])
    const [started] = await store.read(first.id.replace('resp_', ''))
    expect(started).toMatchObject({ settings: { temperature: 0.7 } })
  })

  it.each(['/ag-ui/nobody', '/api/chat/nobody'])('POST %s answers 404, because no agent has this name', async path => {
    const { send, app } = createTestApp()
    const message = { id: 'q', role: 'user', content: 'go', parts: [{ type: 'text', text: 'go' }] }
    const json = { threadId: 't', runId: 'r', id: 'chat', messages: [message] }
    expect(await problemOf(await send(path, { json }))).toBe('404 RESOURCE_NOT_FOUND')
    expect(app.runs).toBe(0)
    expect((await send(path.replace('nobody', 'guide'), { json })).status).toBe(200)
  })

  it('the refusal of a web page names the option and the flag that allow its origin', async () => {
    const { send } = createTestApp()
    const refused = await send('/sessions', { headers: { origin: 'http://localhost:3000', host: '127.0.0.1' } })
    expect(refused.status).toBe(403)
    expect(await refused.text()).toMatch(/corsOrigins.*--cors/)
  })

  it.each([
    ['invalid JSON', 'hello', '400 INVALID_PARAMETER'],
    ['an empty body', '', '400 INVALID_PARAMETER'],
    ['the wrong shape', '{"input":"hi"}', '400 INVALID_PARAMETER'],
    ['very deep JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '400 INVALID_PARAMETER'],
    ['a very long id', JSON.stringify(ask('go', { id: 'x'.repeat(300) })), '400 INVALID_PARAMETER'],
    ['too many bytes', JSON.stringify(ask('x'.repeat(300_000))), '413 PAYLOAD_TOO_LARGE'],
  ])('the server rejects a request with %s before a run starts', async (_, body, problem) => {
    const { send, app } = createTestApp({ limits: { maxBodyBytes: 300_000 } })
    expect(await problemOf(await send('/process', { method: 'POST', body }))).toBe(problem)
    expect(app.runs).toBe(0)
  })

  it('a response repeats the x-request-id of its request if it is well-formed', async () => {
    const { send } = createTestApp()
    const named = await send('/nowhere', { headers: { 'x-request-id': 'mine-1' } })
    expect(named.headers.get('x-request-id')).toBe('mine-1')
    const { error } = (await named.json()) as ProblemBody
    expect(error).toEqual({ code: 'RESOURCE_NOT_FOUND', message: 'Unknown address.', request_id: 'mine-1' })
    const odd = await send('/nowhere', { headers: { 'x-request-id': 'a b' } })
    expect(odd.headers.get('x-request-id')).not.toBe('a b')
  })

  it('an unexpected error reaches onError, and the client receives no details', async () => {
    const errors: unknown[] = []
    const { send, store } = createTestApp({ onError: error => errors.push(error) })
    store.runs = () => Promise.reject(new Error('secret at /etc/passwd'))
    const response = await send('/sessions')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/secret|passwd|\.ts/)
    expect(errors).toHaveLength(1)
    expect((await send('/health')).status).toBe(503)
  })
})

describe('a response', () => {
  it('deltas that arrive faster than the server sends them are joined without losing text', async () => {
    const text = 'abcdefgh'.repeat(20_000)
    const { send } = createTestApp({ script: [text] })
    const events = eventsOf(await (await send('/process', { json: ask() })).text())
    const deltas = events.flatMap(event =>
      event.object === 'content' && event.type === 'text' && event.delta ? [event.text] : [],
    )
    expect(deltas.join('')).toBe(text)
    expect(deltas.length).toBeLessThan(5_000)
    expect(events.at(-1)).toMatchObject({ object: 'response', status: 'completed' })
  })

  it('a run continues when its reader leaves, and its response can be read from any event', async () => {
    const { send } = createTestApp({ script: loop })
    const first = await send('/process', { json: ask('go', { id: 'mine' }) })
    await readUntil(first, '"created"')
    const whole = await (await send('/process/mine/events')).text()
    expect(eventsOf(whole).at(-1)).toMatchObject({ status: 'completed' })
    const rest = await (await send('/process/mine/events?starting_after=3')).text()
    expect(whole.endsWith(rest)).toBe(true)
    expect(eventsOf(rest)[0]?.sequence_number).toBe(4)
    const byHeader = await send('/process/mine/events', { headers: { 'last-event-id': '3' } })
    expect(await byHeader.text()).toBe(rest)
    expect((await send('/process/mine/events?starting_after=x')).status).toBe(400)
  })

  it('a new server on the same store serves the responses of the earlier one', async () => {
    const before = createTestApp({ script: loop })
    const events = eventsOf(await (await before.send('/process', { json: ask() })).text())
    const last = events.at(-1)
    const id = last?.object === 'response' ? last.id : ''
    const after = createTestApp({ store: before.store })
    const again = eventsOf(await (await after.send(`/process/${id}/events`)).text()).at(-1)
    expect(again).toMatchObject({ id, output: last?.object === 'response' ? last.output : [] })
    expect(await (await after.send(`/process/${id}`)).json()).toMatchObject({ id, status: 'completed' })
  })

  it('a background response can be read later', async () => {
    const { send } = createTestApp({ script: loop })
    const begun = await send('/process', { json: ask('go', { background: true }) })
    expect(begun.status).toBe(202)
    const { id } = (await begun.json()) as { id: string }
    await (await send(`/process/${id}/events`)).text()
    expect(await (await send(`/process/${id}`)).json()).toMatchObject({ id, status: 'completed' })
  })

  it('cancel stops a run whose reader has left', async () => {
    const { send, app } = createTestApp({ script: hang })
    await readUntil(await send('/process', { json: ask('go', { id: 'mine' }) }), '"delta":true')
    expect(app.runs).toBe(1)
    expect(await (await send('/process/mine/cancel', { json: {} })).json()).toMatchObject({ status: 'canceled' })
    expect(app.runs).toBe(0)
    expect(await (await send('/process/mine/cancel', { json: {} })).json()).toMatchObject({ status: 'canceled' })
  })

  it('cancel answers 202 if the process that drives the run does not stop in time', async () => {
    const clock = fakeClock()
    const { send, store } = createTestApp({ clock })
    await store.heartbeat({ worker: 'elsewhere', at: Date.now(), ttlMs: 60_000 })
    const runId = '01890000-0000-7000-8000-000000000000'
    const at = { v: ENTRY_VERSION, seq: 1, at: Date.now() } as const
    const facts = { agent: 'guide', model: 'm', sessionId: 's', scope: 'default', relation: 'initial' as const }
    const entries = [{ ...at, type: 'run.started' as const, ...facts }]
    await store.append({ runId, expectedSeq: 0, worker: 'elsewhere', fence: 1, entries })
    const cancelling = send(`/process/${runId}/cancel`, { json: {} })
    await vi.waitFor(async () => expect(await store.inbox?.read(runId)).toHaveLength(1), 30_000)
    await clock.advance(30_000)
    const answer = await cancelling
    expect([answer.status, await answer.json()]).toMatchObject([202, { status: 'in_progress' }])
  })

  it('cancel ends a run that is suspended for approval', async () => {
    const { send } = createTestApp({ script: paying })
    await (await send('/process', { json: ask('go', { id: 'mine' }) })).text()
    expect(await (await send('/process/mine/cancel', { json: {} })).json()).toMatchObject({ status: 'canceled' })
    expect(await (await send('/process/mine/approvals')).json()).toMatchObject({ data: [] })
  })

  it('a second response with the id of an active one is rejected with 409', async () => {
    const { send } = createTestApp({ script: hang })
    await readUntil(await send('/process', { json: ask('go', { id: 'mine' }) }), '"delta":true')
    expect(await problemOf(await send('/process', { json: ask('other', { id: 'mine' }) }))).toBe('409 CONFLICT')
    await send('/process/mine/cancel', { json: {} })
  })
})

describe('an approval', () => {
  async function suspendedRun() {
    const { send } = createTestApp({ script: paying })
    await (await send('/process', { json: ask('go', { id: 'mine' }) })).text()
    const { data } = (await (await send('/process/mine/approvals')).json()) as { data: { approvalId: string }[] }
    return { send, path: `/process/mine/approvals/${data[0]?.approvalId}` }
  }

  it('a decision about a decided approval is rejected with 409', async () => {
    const { send, path } = await suspendedRun()
    const answer = await (await send(path, { json: { approve: true, stream: false } })).json()
    expect(JSON.stringify(answer)).toContain('Paid.')
    expect(await problemOf(await send(path, { json: { approve: true } }))).toBe('409 CONFLICT')
  })

  it('two concurrent decisions are applied once', async () => {
    const { send, path } = await suspendedRun()
    const decide = (): Promise<Response> => send(path, { json: { approve: true, stream: false } })
    const statuses = (await Promise.all([decide(), decide()])).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 409]))
  })

  it('a decision requires a boolean approve and a known approval', async () => {
    const { send, path } = await suspendedRun()
    expect(await problemOf(await send(path, { json: { approve: 'yes' } }))).toBe('400 INVALID_PARAMETER')
    expect(await problemOf(await send('/process/mine/approvals/other', { json: { approve: true } }))).toMatch(/^404/)
  })
})

describe('a session', () => {
  it('GET /sessions/:id returns the messages of every run in the session', async () => {
    const { send } = createTestApp({ script: ['One.', 'Two.'] })
    for (const text of ['first', 'second'])
      await (await send('/process', { json: ask(text, { session_id: 'talk' }) })).text()
    const session = await (await send('/sessions/talk')).json()
    expect(session).toMatchObject({
      runs: 2,
      history: [
        { input: [{ content: [{ text: 'first' }] }], output: [{ content: [{ text: 'One.' }] }] },
        { input: [{ content: [{ text: 'second' }] }], output: [{ content: [{ text: 'Two.' }] }] },
      ],
    })
    expect(await (await send('/sessions')).json()).toMatchObject({ data: [{ id: 'talk', runs: 2 }] })
    expect(await problemOf(await send('/sessions/none'))).toBe('404 RESOURCE_NOT_FOUND')
  })

  it('GET /sessions/:id shows a running run as in progress, and its finished messages', async () => {
    const script: Script = [
      { text: 'Let me look. ', toolCalls: [{ name: 'weather' }] },
      { text: 'Sunny', hang: true },
    ]
    const { send } = createTestApp({ script })
    await readUntil(await send('/process', { json: ask('go', { session_id: 'talk', id: 'mine' }) }), 'Sunny')
    const session = (await (await send('/sessions/talk')).json()) as { history: { output: unknown[] }[] }
    expect(session).toMatchObject({ status: 'running', history: [{ status: 'in_progress', error: null }] })
    expect(JSON.stringify(session.history[0]?.output)).toContain('Let me look.')
    await send('/process/mine/cancel', { json: {} })
    expect(await (await send('/sessions/talk')).json()).toMatchObject({ history: [{ status: 'canceled' }] })
  })

  it('a session continues after a compaction, which does not appear in its history', async () => {
    const { send, store, runtime } = createTestApp({ script: ['One.', 'Two.'] })
    const openAi = (more: object) => send('/v1/responses', { json: { input: 'go', ...more } })
    const first = (await (await openAi({ conversation: 'talk' })).json()) as { id: string }
    await (
      await runtime.compact('talk')
    ).result
    await (
      await runtime.compact('talk')
    ).result
    await openAi({ previous_response_id: first.id })
    const [newest] = await store.runs({ scope: 'default', limit: 1 })
    expect(newest).toMatchObject({ sessionId: 'talk', relation: 'continue' })
    const session = (await (await send('/sessions/talk')).json()) as { history: unknown[] }
    expect(session.history).toHaveLength(2)
  })

  it('a session rejects a second concurrent run with 409', async () => {
    const { send } = createTestApp({ script: hang })
    const json = ask('go', { session_id: 'talk', id: 'mine' })
    const [first, second] = await Promise.all([
      send('/process', { json }),
      send('/process', { json: ask('go', { session_id: 'talk' }) }),
    ])
    expect(new Set([first.status, second.status])).toEqual(new Set([200, 409]))
    await Promise.all([first.body?.cancel(), second.body?.cancel()])
    await send('/process/mine/cancel', { json: {} })
  })
})

describe('a server that closes', () => {
  it('a closed server rejects runs and reports that it is closing', async () => {
    const { send, app } = createTestApp()
    app.close()
    expect(await problemOf(await send('/process', { json: ask() }))).toBe('503 SERVICE_UNAVAILABLE')
    expect(await (await send('/readyz')).json()).toEqual({ status: 'closing' })
    expect((await send('/livez')).status).toBe(200)
  })
})

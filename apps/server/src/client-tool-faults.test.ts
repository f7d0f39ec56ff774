import { defineTool, type Schema } from '@parley/core'
import { createRuntime, defineAgent } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { fakeClock, scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { hashApiKey } from './access/api-key.ts'

interface ToolFields {
  readonly name?: unknown
  readonly description?: string
  readonly parameters?: unknown
}

/** How a protocol asks, brings tools, and submits the result of a call. */
interface Wire {
  readonly name: string
  readonly path: string
  /** The body of the first request. */
  readonly ask: (tools: readonly ToolFields[]) => object
  /** The body that submits a result. */
  readonly answer: (callId: string, output: string) => object
}

const flat = (tools: readonly ToolFields[]): object[] => tools.map(tool => ({ type: 'function', ...tool }))
const nested = (tools: readonly ToolFields[]): object[] => tools.map(tool => ({ type: 'function', function: tool }))
const user = { role: 'user', content: 'Where am I?' }
const called = (id: string) => ({ id, type: 'function', function: { name: 'locate', arguments: '{}' } })

const wires: readonly Wire[] = [
  {
    name: 'chat completions',
    path: '/v1/chat/completions',
    ask: tools => ({ model: 'guide', messages: [user], ...(tools.length === 0 ? {} : { tools: nested(tools) }) }),
    answer: (id, content) => ({
      model: 'guide',
      messages: [user, { role: 'assistant', tool_calls: [called(id)] }, { role: 'tool', tool_call_id: id, content }],
    }),
  },
  {
    name: 'the Responses API',
    path: '/v1/responses',
    ask: tools => ({ model: 'guide', input: 'Where am I?', tools: flat(tools) }),
    answer: (call_id, output) => ({ model: 'guide', input: [{ type: 'function_call_output', call_id, output }] }),
  },
  {
    name: 'AG-UI',
    path: '/ag-ui',
    ask: tools => ({
      threadId: 's',
      runId: 'r1',
      messages: [{ id: 'u1', ...user }],
      tools: tools.map(tool => ({ description: 'A tool.', ...tool })),
    }),
    answer: (toolCallId, content) => ({
      threadId: 's',
      runId: 'r2',
      messages: [
        { id: 'u1', ...user },
        { id: 'a1', role: 'assistant', toolCalls: [called(toolCallId)] },
        { id: 't1', role: 'tool', toolCallId, content },
      ],
    }),
  },
  {
    name: 'the Agent API',
    path: '/process',
    ask: tools => ({
      input: [{ role: 'user', content: [{ type: 'text', text: 'Where am I?' }] }],
      session_id: 's',
      stream: false,
      tools: nested(tools),
    }),
    answer: (call_id, output) => ({
      input: [{ role: 'tool', type: 'function_call_output', content: [{ type: 'data', data: { call_id, output } }] }],
      session_id: 's',
      stream: false,
    }),
  },
]

/** An AI SDK chat brings no tools. */
const chat: Wire = {
  name: 'AI SDK chats',
  path: '/api/chat',
  ask: () => ({ id: 's', messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Where am I?' }] }] }),
  answer: (toolCallId, output) => ({
    id: 's',
    messages: [
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Where am I?' }] },
      {
        id: 'a1',
        role: 'assistant',
        parts: [{ type: 'tool-locate', toolCallId, state: 'output-available', input: {}, output }],
      },
    ],
  }),
}

interface Setup {
  readonly wire: Wire
  readonly timeoutMs?: number
  readonly output?: Schema
}

const keys = ['ann', 'bob'].map(name => ({ name, hash: hashApiKey(name) }))

/** A server whose agent has called `locate`, a tool of the agent that the client executes. */
async function waiting({ wire, timeoutMs, output }: Setup) {
  const script: Script = [{ toolCalls: [{ name: 'locate', input: {} }] }, 'You are in Bern.', 'Hello.']
  const model = scriptedModel(script)
  const locate = defineTool({ name: 'locate', description: 'Locates.', input: { type: 'object' }, output, timeoutMs })
  const agents = [defineAgent({ name: 'guide', model, tools: [locate] })]
  const store = createMemoryStore()
  const clock = fakeClock()
  const runtime = createRuntime({ agents, store, clock })
  const { send } = createTestApp({ agents, store, runtime, keys, clock })
  const post = async (json: object, key = 'ann'): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await send(wire.path, { json, headers: { authorization: `Bearer ${key}` } })
    return { status: response.status, text: await response.text() }
  }
  const asked = await post(wire.ask([]))
  const [run] = await runtime.runs({ scope: 'ann' })
  const runId = run?.runId ?? ''
  const [, callId = ''] = /"(?:toolCallId|call_id|id)":"((?:[0-9a-f-]{36}_)?call_1)"/.exec(asked.text) ?? []
  return { model, store, clock, runId, callId, post }
}

const deep = (levels: number): object => (levels === 0 ? {} : { type: 'object', properties: { a: deep(levels - 1) } })

describe.each(wires)('tools that a client sends by $name', ({ path, ask }) => {
  it.each<[string, readonly ToolFields[], RegExp]>([
    [
      '1,000 tools',
      Array.from({ length: 1000 }, (_, n) => ({ name: `t${n}` })),
      /tools: has 1000 tools; must have at most 128/,
    ],
    [
      'the name of a tool of the agent',
      [{ name: 'camera' }, { name: 'weather' }],
      /tools\.1\.name: 'weather' is the name of another tool; give it another name/,
    ],
    [
      'one name twice',
      [{ name: 'camera' }, { name: 'camera' }],
      /tools\.1\.name: 'camera' is the name of another tool/,
    ],
    ['an invalid name', [{ name: 'my camera' }], /tools\.0.*my camera/],
    ['a name that is not a string', [{ name: 5 }], /tools\.0\.(function\.)?name/],
    [
      'a schema that is not a schema',
      [{ name: 'camera', parameters: { type: 'object', properties: 5 } }],
      /tools\.0.*camera/,
    ],
    ['the schema of a text', [{ name: 'camera', parameters: { type: 'string' } }], /tools\.0.*always an object/],
    ['a schema that is a list', [{ name: 'camera', parameters: [1] }], /tools\.0\.(function\.)?parameters/],
    [
      'a schema of 300,000 characters',
      [{ name: 'camera', description: 'x'.repeat(300_000) }],
      /tools: has \d+ characters; must have at most 256000/,
    ],
    ['a schema of 300 levels', [{ name: 'camera', parameters: deep(150) }], /levels deep/],
  ])('the server refuses %s with status 400 and says where the fault is', async (_, tools, message) => {
    const { send, runtime } = createTestApp()
    const response = await send(path, { json: ask(tools) })
    expect(response.status).toBe(400)
    const { error } = (await response.json()) as { readonly error: { readonly message: string } }
    expect(error.message).toMatch(message)
    expect(await runtime.runs()).toEqual([])
  })
})

describe.each([...wires, chat])('results that a client submits by $name', wire => {
  const { answer } = wire

  it('the first result counts, and a second one is refused with status 409', async () => {
    const { callId, post, model } = await waiting({ wire })
    expect(callId).not.toBe('')
    const first = await post(answer(callId, 'Bern'))
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('in Bern.') as string })
    const second = await post(answer(callId, 'Rome'))
    expect(second).toMatchObject({
      status: 409,
      text: expect.stringContaining('takes no result: it has one') as string,
    })
    expect(model.requests).toHaveLength(2)
    expect(JSON.stringify(model.requests[1]?.messages)).not.toContain('Rome')
  })

  it('a result after the deadline is refused with status 409', async () => {
    const { callId, post, store, clock, runId } = await waiting({ wire, timeoutMs: 5_000 })
    await clock.advance(5_000)
    await expect.poll(async () => (await store.run(runId))?.status).toBe('completed')
    expect(await post(answer(callId, 'Bern'))).toMatchObject({ status: 409 })
  })

  it('a result for an unknown call is refused with status 404, and the run still waits', async () => {
    const { callId, post, store, runId } = await waiting({ wire })
    const unknown = await post(answer(callId.replace('call_1', 'call_9'), 'Bern'))
    expect(unknown).toMatchObject({ status: 404, text: expect.stringContaining('call_9') as string })
    expect(await store.run(runId)).toMatchObject({ status: 'suspended' })
    expect(await post(answer(callId, 'Bern'))).toMatchObject({ status: 200 })
  })

  it('a result from another scope does not reach the run, and the client learns nothing about it', async () => {
    const { callId, post, store, runId } = await waiting({ wire })
    const foreign = await post(answer(callId, 'Rome'), 'bob')
    // Protocols whose call ids name no run cannot tell a foreign call from a conversation of the client's own.
    expect(foreign.status).toBe(callId.startsWith(runId) ? 404 : 200)
    if (foreign.status === 200) expect(foreign.text).not.toContain(runId)
    expect(await store.run(runId)).toMatchObject({ status: 'suspended' })
    expect((await store.read(runId)).some(({ type }) => type === 'tool.submitted')).toBe(false)
  })

  it('the model learns that a result does not match the output schema', async () => {
    const output = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const
    const { callId, post, model } = await waiting({ wire, output })
    expect(await post(answer(callId, '{"town":"Bern"}'))).toMatchObject({ status: 200 })
    const last = model.requests[1]?.messages.at(-1)
    expect(last).toMatchObject({ role: 'tool', isError: true })
    expect(JSON.stringify(last)).toContain("'locate' returned a value that does not fit its output schema")
  })
})

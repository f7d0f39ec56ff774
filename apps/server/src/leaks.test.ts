import { defineTool, ParleyError, type Store } from '@parley/core'
import { agentTool, defineAgent, type Agent } from '@parley/engine'
import { createMcpServer } from '@parley/mcp'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type ScriptStep } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { ServerAppOptions } from './create-server-app.ts'
import { everyRoute } from './__fixtures__/every-route.ts'
import { createTestApp } from './__fixtures__/open-test-server.ts'
import { ask } from './__fixtures__/sse.ts'

const SECRET = 'sk-live-4242'
const PLANTED = `${SECRET} in /home/owner/app/.env at db.internal:5432`

function fail(error: unknown): never {
  throw error
}

const anything = { type: 'object' } as const
const thrown = (error: unknown) =>
  defineTool({
    name: 'work',
    description: 'Works.',
    input: anything,
    execute: () => fail(error),
  })
const calls: readonly ScriptStep[] = [{ toolCalls: [{ name: 'work' }] }, 'Done.']
const modelError = { provider: PLANTED, model: PLANTED, requestId: PLANTED, detail: PLANTED } as const
const child = defineAgent({
  name: 'child',
  description: 'Helps.',
  model: scriptedModel(Array.from({ length: 30 }, () => ({ error: { code: 'model-auth', ...modelError } }))),
})

/** Places where a secret of the owner can be, and the agents that reach them. */
const PLACES: Readonly<Record<string, { readonly script: readonly ScriptStep[]; readonly agent?: Partial<Agent> }>> = {
  'a model error': { script: [{ error: { code: 'model-invalid-request', ...modelError } }] },
  'a model error after some text': { script: [{ text: 'Half an', error: { code: 'model-stream', ...modelError } }] },
  'a foreign error of a model': {
    script: [],
    agent: { model: { ...scriptedModel([]), stream: () => fail(new Error(PLANTED)) } },
  },
  'an error that a tool throws': { script: calls, agent: { tools: [thrown(new Error(PLANTED))] } },
  'a text that a tool throws': { script: calls, agent: { tools: [thrown(PLANTED)] } },
  'an error of another system that a tool throws': {
    script: calls,
    agent: {
      tools: [thrown(new ParleyError({ code: 'url-failed', url: PLANTED, detail: PLANTED, retryable: false }))],
    },
  },
  'a child run that failed': {
    script: [{ toolCalls: [{ name: 'child', arguments: '{"task":"go"}' }] }, 'Done.'],
    agent: { tools: [agentTool(child)] },
  },
  'an input filter that throws': {
    script: ['Done.'],
    agent: { inputFilters: [{ name: 'polite', check: () => Promise.reject(new Error(PLANTED)) }] },
  },
  'an approval handler that throws': {
    script: calls,
    agent: {
      tools: [{ ...thrown(new Error(PLANTED)), permission: 'ask' }],
      onApproval: () => Promise.reject(new Error(PLANTED)),
    },
  },
  'the configuration of the agent': {
    script: ['Done.'],
    agent: {
      tools: [
        {
          name: 'remote',
          tools: () => fail(new ParleyError({ code: 'config-invalid', path: PLANTED, detail: PLANTED })),
          async [Symbol.asyncDispose]() {},
        },
      ],
    },
  },
}

const START: readonly (readonly [path: string, json: object])[] = [
  ['/process', ask('go')],
  ['/process', ask('go', { stream: false, temperature: 0.5 })],
  ['/v1/chat/completions', { model: 'guide', messages: [{ role: 'user', content: 'go' }] }],
  ['/v1/chat/completions', { model: 'guide', messages: [{ role: 'user', content: 'go' }], stream: true }],
  ['/v1/responses', { input: 'go' }],
  ['/v1/responses', { input: 'go', stream: true }],
  ['/ag-ui', { threadId: 't', runId: 'r', messages: [{ id: 'q', role: 'user', content: 'go' }] }],
  ['/api/chat', { id: 'chat', messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: 'go' }] }] }],
]

interface Logged {
  readonly words: string
  readonly requestId: string
}

function createLog() {
  const logged: Logged[] = []
  const onError: ServerAppOptions['onError'] = (error, { requestId }) =>
    logged.push({ words: `${String(error)} ${JSON.stringify(error)}`, requestId })
  return { logged, onError }
}

/** Everything of a response that a client sees. */
async function seen(response: Response): Promise<string> {
  return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
}

async function idsOf(store: Store) {
  const [record] = await store.runs({ scope: 'default' })
  return { runId: record?.runId ?? '', sessionId: record?.sessionId ?? '', approvalId: 'none' }
}

describe('secrets of the owner', () => {
  it.each(Object.entries(PLACES))('%s reaches no client, on any route', async (_, { script, agent }) => {
    for (const [path, json] of START) {
      const { send, store } = createTestApp({ script: [...script, 'Again.'], agent })
      expect(await seen(await send(path, { json }))).not.toContain(SECRET)
      for (const { path: address, init } of everyRoute(await idsOf(store))) {
        const text = await seen(await send(address, init))
        expect([address, text.includes(SECRET) ? text : 'clean']).toEqual([address, 'clean'])
      }
    }
  })

  it('the owner gets the details of a failed run and of a failed tool call with the id of the request', async () => {
    for (const place of ['a model error', 'an error that a tool throws', 'a child run that failed']) {
      const { logged, onError } = createLog()
      for (const [path, json] of START) {
        logged.length = 0
        const { send } = createTestApp({ ...PLACES[place], onError })
        const response = await send(path, { json, headers: { 'x-request-id': 'request-7' } })
        await response.text()
        await expect.poll(() => [place, path, logged.map(({ requestId }) => requestId)]).toContainEqual(['request-7'])
        expect(logged[0]?.words).toContain(PLANTED)
      }
    }
  })

  it('an error of the store reaches no client, on any route, and the owner gets it', async () => {
    for (const error of [
      new Error(PLANTED),
      new ParleyError({ code: 'store-corrupt', store: PLANTED, detail: PLANTED }),
    ]) {
      const { logged, onError } = createLog()
      const runId = '01920000-0000-7000-8000-000000000000'
      const broken = (): never => fail(error)
      const store = { ...createMemoryStore(), run: broken, runs: broken, read: broken, append: broken }
      const { send } = createTestApp({ store: store as unknown as Store, onError })
      for (const { path, init } of everyRoute({ runId, sessionId: 's', approvalId: 'a' }))
        expect([path, (await seen(await send(path, init))).includes(SECRET)]).toEqual([path, false])
      expect(logged.every(({ words }) => words.includes(SECRET) || words.includes('runtime-closed'))).toBe(true)
      expect(logged.length).toBeGreaterThan(5)
    }
  })

  it('an error that a tool returns reaches the client, because the tool wrote it for its readers', async () => {
    const { send } = createTestApp({ script: [{ toolCalls: [{ name: 'broken' }] }, 'Done.'] })
    expect(await (await send('/process', { json: ask('go') })).text()).toContain('no power')
  })

  it('an error that a tool throws at an MCP client reaches the owner only', async () => {
    const errors: string[] = []
    const tools = [thrown(new Error(PLANTED))]
    await using mcp = createMcpServer({ name: 't', version: '1', tools, onError: error => errors.push(error.message) })
    const { send } = createTestApp({ mcp })
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const started = await send('/mcp', { json: rpc('initialize', hello), headers })
    const session = { ...headers, 'mcp-session-id': started.headers.get('mcp-session-id') ?? '' }
    const called = await send('/mcp', { json: rpc('tools/call', { name: 'work', arguments: {} }), headers: session })
    const text = await seen(called)
    expect(text).toContain("'work' failed.")
    expect(text).not.toContain(SECRET)
    expect(errors.join()).toContain(PLANTED)
  })
})

import { spawn } from 'node:child_process'
import { request } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { LoggingMessageNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describeError, toolError, type ErrorInfo, type Tool, type ToolSource } from '@parley/core'
import { bundleProgram } from '@parley-tooling/test-run/bundle-program'
import { beforeAll, describe, expect, it } from 'vitest'
import { toolSet } from '../__fixtures__/tool-set.ts'
import { createMcpServer, type CreateMcpServerOptions } from './create-mcp-server.ts'
import { openMcpServer } from '../client/open-mcp-server.ts'

interface Session extends AsyncDisposable {
  readonly client: Client
  call(name: string, input?: Record<string, unknown>): Promise<CallToolResult>
}

async function toSession(client: Client, close: () => Promise<unknown>): Promise<Session> {
  return {
    client,
    call: async (name, input = {}) => (await client.callTool({ name, arguments: input })) as CallToolResult,
    async [Symbol.asyncDispose]() {
      await client.close()
      await close()
    },
  }
}

const identity = { name: 'official', version: '1.0.0' }

async function openHttp(options: Partial<CreateMcpServerOptions> = {}): Promise<Session> {
  const server = createMcpServer({
    name: 'tools',
    version: '1.2.3',
    instructions: 'Be quick.',
    tools: toolSet,
    ...options,
  })
  const { url } = await server.listen()
  const client = new Client(identity)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0])
  return toSession(client, () => server.close())
}

let toolServer = ''
beforeAll(async () => {
  toolServer = await bundleProgram(new URL('../__fixtures__/tool-server.ts', import.meta.url))
})

async function openStdio(): Promise<Session> {
  const client = new Client(identity)
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [toolServer], stderr: 'ignore' }))
  return toSession(client, async () => {})
}

const textOf = ({ content }: CallToolResult): string =>
  content.map(part => (part.type === 'text' ? part.text : '')).join()

describe.each([
  ['Streamable HTTP', openHttp],
  ['stdio', openStdio],
] as const)('the official client of the older line, over %s', (_, open: () => Promise<Session>) => {
  it('the official client gets the identity and the tools with schemas and hints', async () => {
    await using session = await open()
    expect(session.client.getServerVersion()).toMatchObject({ name: 'tools', version: '1.2.3' })
    expect(session.client.getInstructions()).toBe('Be quick.')
    const { tools } = await session.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolSet.map(({ name }) => name))
    expect(tools[0]).toMatchObject({
      name: 'add',
      inputSchema: { required: ['a', 'b'], additionalProperties: false },
      outputSchema: { required: ['sum'] },
      annotations: { readOnlyHint: true, idempotentHint: true },
    })
    expect(tools[1]?.annotations).toEqual({ readOnlyHint: false, idempotentHint: false })
  })

  it('the official client gets results as data and as content of every kind', async () => {
    await using session = await open()
    expect(await session.call('add', { a: 1, b: 2 })).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
    })
    expect((await session.call('parts')).content).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'image', data: 'aW1n', mimeType: 'image/png' },
      { type: 'audio', data: 'c25k', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'result:///a%20b.pdf', mimeType: 'application/pdf', blob: 'cGRm' } },
      { type: 'resource_link', uri: 'https://example.com/', name: 'page', mimeType: 'text/html' },
    ])
  })

  it('the official client gets failures as results', async () => {
    await using session = await open()
    expect(await session.call('fail')).toMatchObject({ isError: true, content: [{ text: 'no such file' }] })
    expect(await session.call('throw')).toMatchObject({ isError: true, content: [{ text: "'throw' failed." }] })
    expect(textOf(await session.call('add', { a: 'x', b: 2 }))).toMatch(/arguments of 'add' do not fit.*must be number/)
    expect(textOf(await session.call('nothing'))).toContain("There is no tool named 'nothing'")
    expect(textOf(await session.call('slow'))).toContain('stopped after 50 ms')
  })

  it('a failure of a tool source reaches the client as a public sentence', async () => {
    const failures: string[] = []
    const tools = () => Promise.reject(new Error('sk-secret at /home/owner'))
    const source = { name: 'remote', tools, async [Symbol.asyncDispose]() {} }
    await using session = await openHttp({ tools: [source], onError: error => failures.push(error.message) })
    const listed = session.client.listTools().catch((error: unknown) => String(error))
    expect(await listed).toContain('The agent failed for a reason of its own.')
    expect(JSON.stringify([await listed, await session.call('any')])).not.toContain('sk-secret')
    expect(failures).toEqual(['sk-secret at /home/owner', 'sk-secret at /home/owner'])
  })

  it('the official client gets progress', async () => {
    await using session = await open()
    const updates: unknown[] = []
    await session.client.callTool({ name: 'steps', arguments: {} }, undefined, {
      onprogress: update => updates.push(update),
    })
    expect(updates).toEqual([
      { progress: 1, message: 'begun' },
      { progress: 2, total: 2, message: 'done' },
    ])
  })

  it('a client gets log messages of the level that it set: progress without a token, and failures', async () => {
    await using session = await open()
    const logs: unknown[] = []
    session.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logs.push(params))
    await session.call('steps')
    await session.call('fail')
    await session.client.setLoggingLevel('error')
    await session.call('steps')
    await session.call('fail')
    const failure = { level: 'error', logger: 'fail', data: [{ type: 'text', text: 'no such file' }] }
    expect(logs).toEqual([
      { level: 'info', logger: 'steps', data: 'begun' },
      { level: 'info', logger: 'steps', data: 'done' },
      failure,
      failure,
    ])
  })

  it('the official client cannot bypass a permission', async () => {
    await using session = await open()
    for (const name of ['denied', 'asked', 'asks', 'roles']) {
      const result = await session.call(name)
      expect([name, result.isError, textOf(result)]).toEqual([name, true, expect.stringContaining('was not run')])
    }
  })

  it('the server runs at most as many concurrent calls of a tool as the tool allows', async () => {
    await using session = await open()
    const results = await Promise.all([1, 2, 3].map(() => session.call('alone')))
    expect(results.map(textOf)).toEqual(['1', '1', '1'])
  })
})

describe('our server', () => {
  it.each(['legacy', 'auto'] as const)(
    'a client can cancel a call and is notified of new tools, in %s',
    async protocol => {
      const stopped = Promise.withResolvers<string>()
      let tools: readonly Tool[] = []
      let changed = (): void => {}
      const wait: Tool = {
        name: 'wait',
        description: 'Waits.',
        input: { type: 'object' },
        execute: (_, { signal }) => {
          signal.addEventListener('abort', () => stopped.resolve('stopped'))
          return new Promise(() => {})
        },
      }
      tools = [wait]
      const source: ToolSource = {
        name: 'source',
        tools: async () => tools,
        onChange: listener => {
          const before = changed
          changed = () => {
            before()
            listener()
          }
          return () => {}
        },
        async [Symbol.asyncDispose]() {},
      }
      await using server = createMcpServer({ name: 'tools', version: '1', tools: [source] })
      const { url } = await server.listen()
      await using client = await openMcpServer({ transport: 'http', name: 'us', url, protocol })
      await client.listTools()
      await expect(client.callTool('wait', {}, { timeoutMs: 1_000 })).rejects.toMatchObject({
        info: { reason: 'timeout' },
      })
      expect(await stopped.promise).toBe('stopped')
      const heard = new Promise<void>(resolve => client.onChange(resolve))
      tools = [wait, ...toolSet.slice(0, 1)]
      changed()
      await heard
      expect(await client.listTools()).toHaveLength(2)
    },
  )

  it('approve decides calls that require approval', async () => {
    const asked: unknown[] = []
    await using session = await openHttp({ approve: approval => asked.push(approval) !== 2 })
    expect(textOf(await session.call('asked'))).toBe('ran')
    expect(textOf(await session.call('asks'))).toContain('the user refused')
    expect(textOf(await session.call('asks'))).toBe('ran')
    expect(asked).toEqual([
      { tool: 'asked', input: {}, prompt: "Run 'asked'?" },
      { tool: 'asks', input: {}, prompt: 'May I?' },
      { tool: 'asks', input: {}, prompt: 'May I?' },
    ])
  })

  it('the server stops a call that the client cancelled, and all calls when it closes', async () => {
    const stopped: string[] = []
    let started = 0
    const wait: Tool = {
      name: 'wait',
      description: 'Waits.',
      input: { type: 'object' },
      execute: (_, { signal }) =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => resolve(stopped.push('one')))
          started += 1
        }),
    }
    const server = createMcpServer({ name: 'tools', version: '1', tools: [wait] })
    const { url } = await server.listen()
    await using client = await openMcpServer({ transport: 'http', name: 'us', url, protocol: 'auto' })
    await expect(client.callTool('wait', {}, { timeoutMs: 1_000 })).rejects.toMatchObject({
      info: { reason: 'timeout' },
    })
    await expect.poll(() => stopped).toHaveLength(1)
    const call = client.callTool('wait', {}).catch((error: unknown) => error)
    await expect.poll(() => started).toBe(2)
    await server.close()
    await expect.poll(() => stopped).toHaveLength(2)
    await call
    expect((await server.fetch(new Request(url, { method: 'POST' }))).status).toBe(503)
  })

  it('the official client aborts a call: the server stops the tool, and answers the next call', async () => {
    const stopped: string[] = []
    const started = Promise.withResolvers<void>()
    const wait: Tool = {
      name: 'wait',
      description: 'Waits.',
      input: { type: 'object' },
      execute: (_, { signal }) =>
        new Promise(resolve => {
          signal.addEventListener('abort', () => resolve(stopped.push('one')))
          started.resolve()
        }),
    }
    const [add] = toolSet
    await using session = await openHttp({ tools: add === undefined ? [] : [add, wait] })
    const stop = new AbortController()
    const call = session.client.callTool({ name: 'wait' }, undefined, { signal: stop.signal })
    await started.promise
    stop.abort('enough')
    await expect(call).rejects.toThrow('enough')
    await expect.poll(() => stopped).toEqual(['one'])
    expect(await session.call('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: { sum: 3 } })
  })

  it('clients that know the newest revision use it and are notified of new tools', async () => {
    let listener: (() => void) | undefined
    let tools: readonly Tool[] = toolSet.slice(0, 1)
    const source: ToolSource = {
      name: 'source',
      tools: async () => tools,
      onChange: told => {
        listener = told
        return () => (listener = undefined)
      },
      async [Symbol.asyncDispose]() {},
    }
    await using server = createMcpServer({ name: 'tools', version: '1', tools: [source] })
    const { url } = await server.listen()
    await using client = await openMcpServer({ transport: 'http', name: 'us', url, protocol: 'auto' })
    expect(client.protocolVersion).toBe('2026-07-28')
    let changes = 0
    client.onChange(() => (changes += 1))
    expect(await client.tools()).toHaveLength(1)
    tools = toolSet.slice(0, 2)
    listener?.()
    await expect.poll(() => changes).toBe(1)
    expect(await client.tools()).toHaveLength(2)
    await server.close()
    expect(listener).toBeUndefined()
  })

  it('words that a tool made from error data reach the owner only', async () => {
    const error: ErrorInfo = {
      code: 'url-failed',
      url: 'https://internal.example',
      detail: 'sk-secret',
      retryable: true,
    }
    const failures: string[] = []
    const fetches: Tool = {
      name: 'fetches',
      description: 'Fetches.',
      input: { type: 'object' },
      execute: () => toolError(`${describeError(error)} Try later.`, { error }),
    }
    await using session = await openHttp({ tools: [fetches], onError: ({ message }) => failures.push(message) })
    expect(textOf(await session.call('fetches'))).toBe('An address did not answer. Try later.')
    expect(failures).toEqual([describeError(error)])
  })

  it('the server refuses requests from a web page of another origin', async () => {
    await using server = createMcpServer({ name: 'tools', version: '1', tools: toolSet })
    const { url } = await server.listen()
    const statusWith = (headers: Record<string, string>, path = '/mcp'): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request(new URL(path, url), { method: 'POST', headers }, response => {
          resolve(response.statusCode)
          response.destroy()
        })
        sent.on('error', reject).end('{}')
      })
    expect(await statusWith({ host: 'evil.example' })).toBe(403)
    expect(await statusWith({ origin: 'https://evil.example' })).toBe(403)
    expect(await statusWith({}, '/elsewhere')).toBe(404)
    expect(await statusWith({ origin: new URL(url).origin })).not.toBe(403)
  })
})

it('serveStdio ends after a message that never ends', async () => {
  const child = spawn(process.execPath, [toolServer], { stdio: ['pipe', 'ignore', 'ignore'] })
  const exited = new Promise<number | null>(resolve => child.once('exit', resolve))
  const piece = Buffer.alloc(1_048_576, 'a')
  let pieces = 0
  child.stdin.on('error', () => {})
  const more = (): void => {
    while (child.exitCode === null && pieces < 200) {
      pieces += 1
      if (!child.stdin.write(piece)) return void child.stdin.once('drain', more)
    }
  }
  more()
  expect(await exited).toBe(0)
  expect(pieces).toBeLessThan(40)
})

import { isToolOutcome, type Json, type Tool, type ToolContext, type ToolOutcome, type ToolSource } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { fixtureServer } from '../__fixtures__/fixture-server.ts'
import type { McpServer } from '../client/mcp-server.ts'
import { mcpTools } from './mcp-tools.ts'
import { openMcpServer } from '../client/open-mcp-server.ts'

type Settled = Extract<ToolOutcome, { content: unknown }>

interface CallOptions {
  readonly input?: unknown
  readonly signal?: AbortSignal
  readonly progress?: (update: Json) => void
}

async function toolOf(source: ToolSource, name: string): Promise<Tool> {
  const tool = (await source.tools()).find(item => item.name === name)
  return tool ?? expect.fail(`no tool ${name}`)
}

async function call(
  source: ToolSource,
  name: string,
  { input = {}, signal = new AbortController().signal, progress = () => {} }: CallOptions = {},
): Promise<Settled> {
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: 'x', path: [], context: undefined }
  const context: ToolContext = { signal, callId: 'c', idempotencyKey: 'k', progress, run }
  const result = await (await toolOf(source, `mcp__fix__${name}`)).execute(input, context)
  return isToolOutcome(result) && 'content' in result ? result : expect.fail('no outcome')
}

const open = (fields = {}): Promise<McpServer> => openMcpServer(fixtureServer('scripted.mjs', fields))

async function seen(server: McpServer): Promise<readonly string[]> {
  const result = await server.callTool('seen', {}, { timeoutMs: 60_000 })
  return JSON.parse(String(result.content[0]?.['text'])) as string[]
}

describe('the tools of a server', () => {
  it('tools() lists the tools of every page under prefixed names', async () => {
    await using server = await open()
    const names = (await server.tools()).map(({ name }) => name)
    expect(names).toHaveLength(15)
    expect(names.slice(0, 3)).toEqual(['mcp__fix__ask', 'mcp__fix__chatter', 'mcp__fix__steps'])
  })

  it('tools have the schema as the server sent it and the effect of its hints', async () => {
    await using server = await open()
    expect((await toolOf(server, 'mcp__fix__echo')).input).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      $defs: { x: {} },
      if: {},
      else: {},
    })
    const effects = Object.fromEntries((await server.tools()).map(({ name, effect }) => [name.slice(10), effect]))
    expect(effects).toMatchObject({ echo: 'read', hang: 'idempotent', fail: 'once' })
  })

  it('tools never have a schema with the key ~standard', async () => {
    await using server = await open()
    expect((await toolOf(server, 'mcp__fix__touch')).input).toEqual({ type: 'object' })
  })

  it('tools have the callTimeoutMs of their server as timeoutMs', async () => {
    await using server = await open({ callTimeoutMs: 1234 })
    expect((await server.tools()).every(({ timeoutMs }) => timeoutMs === 1234)).toBe(true)
  })

  it('tools always have a description', async () => {
    await using server = await open()
    expect((await toolOf(server, 'mcp__fix__echo')).description).toBe('Does echo.')
    expect((await toolOf(server, 'mcp__fix__parts')).description).toBe('All kinds of parts')
    expect((await toolOf(server, 'mcp__fix__seen')).description).toBe("The tool 'seen' of the MCP server 'fix'.")
  })

  it('allow, deny, rename and prefix choose the tools and their names', async () => {
    const tools = { allow: ['e*', 'fail', 'hang'], deny: ['h*'], rename: { echo: 'say' }, prefix: 'x_' }
    await using server = await open({ tools })
    expect((await server.tools()).map(({ name }) => name)).toEqual(['say', 'x_fail'])
    await using view = mcpTools(server, { allow: ['big'] })
    expect((await view.tools()).map(({ name }) => name)).toEqual(['mcp__fix__big'])
  })

  it('disposing a view leaves the server open', async () => {
    await using server = await open()
    await mcpTools(server)[Symbol.asyncDispose]()
    expect(server.status.state).toBe('ready')
  })
})

describe('a change of the tools', () => {
  it('a changed tool is reported once, and unchanged tools stay the same objects', async () => {
    await using server = await open()
    const listener = vi.fn<() => void>()
    const stop = server.onChange(listener)
    const before = await server.tools()
    await server.callTool('add', { name: 'late' })
    await expect.poll(() => listener.mock.calls.length).toBe(1)
    const after = await server.tools()
    expect(after.slice(0, -1).every((tool, index) => tool === before[index])).toBe(true)
    expect(after.at(-1)?.name).toBe('mcp__fix__late')
    stop()
    await server.callTool('add', { name: 'later' })
    await expect.poll(async () => (await server.tools()).length).toBe(17)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('an announced change without a difference is not reported', async () => {
    await using server = await open()
    const listener = vi.fn<() => void>()
    server.onChange(listener)
    await server.tools()
    await server.callTool('touch', {})
    // Eight pages for the first listing, and eight after the announcement.
    await expect.poll(async () => (await seen(server)).length).toBe(16)
    await server.tools()
    expect(listener).not.toHaveBeenCalled()
  })

  it('the tool list is fetched again only after an announced change', async () => {
    await using server = await open()
    await Promise.all([server.tools(), server.tools()])
    await server.tools()
    expect(await seen(server)).toHaveLength(8)
  })

  it('the tool list is fetched again from the new process after a crash', async () => {
    await using server = await open()
    const listener = vi.fn<() => void>()
    await server.tools()
    await server.callTool('add', { name: 'lost in the crash' })
    await expect.poll(async () => (await server.tools()).length).toBe(16)
    server.onChange(listener)
    process.kill(server.pid ?? 0, 'SIGKILL')
    await expect.poll(() => server.status.state).toBe('failed')
    expect(await server.tools()).toHaveLength(15)
    expect(server.status.state).toBe('ready')
    expect(listener).toHaveBeenCalledTimes(1)
    expect(await seen(server)).toHaveLength(8)
  })

  it('a changed tool list is reported after a call has restarted the server', async () => {
    await using server = await open()
    await server.tools()
    await server.callTool('add', { name: 'lost in the crash' })
    await expect.poll(async () => (await server.tools()).length).toBe(16)
    const listener = vi.fn<() => void>()
    server.onChange(listener)
    await call(server, 'crash')
    await server.ping()
    await expect.poll(() => listener.mock.calls.length).toBe(1)
    expect(await server.tools()).toHaveLength(15)
  })
})

describe('a call', () => {
  it('a call converts the content to Parley parts', async () => {
    await using server = await open()
    expect(await call(server, 'parts')).toEqual({
      type: 'ok',
      content: [
        { type: 'text', text: 'hi' },
        { type: 'file', mediaType: 'image/png', source: { type: 'base64', data: 'aW1n' } },
        { type: 'file', mediaType: 'audio/wav', source: { type: 'base64', data: 'c25k' } },
        { type: 'text', text: 'Resource file:///a.txt:\ninside' },
        {
          type: 'file',
          mediaType: 'application/octet-stream',
          source: { type: 'base64', data: 'YmxvYg==' },
          name: 'file:///b.bin',
        },
        { type: 'text', text: 'Resource file:///c.md (c, text/markdown): A note.' },
      ],
    })
  })

  it('a call reports all progress, even if it arrives together with the result', async () => {
    await using server = await open()
    const updates: Json[] = []
    const outcome = await call(server, 'steps', { progress: update => updates.push(update) })
    expect(outcome).toMatchObject({ type: 'ok', content: [{ text: 'done' }] })
    expect(updates).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }])
  })

  it('a call gives structured content as data, and as text if the result has no other content', async () => {
    await using server = await open()
    expect(await call(server, 'structured')).toEqual({
      type: 'ok',
      content: [{ type: 'text', text: '{"answer":42}' }],
      structured: { answer: 42 },
    })
  })

  it('concurrent calls each get their own answer', async () => {
    await using server = await open()
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`)
    const results = await Promise.all(texts.map(text => server.callTool('echo', { text })))
    expect(results.map(({ content }) => content[0]?.['text'])).toEqual(texts)
  })

  it('the client answers pings and refuses unsupported requests of the server during a call', async () => {
    await using server = await open()
    const { content } = await server.callTool('ask', {})
    expect(JSON.parse(String(content[0]?.['text']))).toEqual([
      { jsonrpc: '2.0', id: 'a', result: {} },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
    ])
  })

  it('a megabyte on stderr does not block a call, and its end is kept', async () => {
    await using server = await open()
    await server.callTool('chatter', { bytes: 1_200_000 })
    await expect.poll(() => server.stderr).toMatch(/noise\nlast words\n$/)
    expect(server.stderr.length).toBeLessThanOrEqual(4096)
  })

  it('the client receives messages far larger than a mebibyte', async () => {
    await using server = await open()
    const outcome = await call(server, 'big', { input: { bytes: 5_000_000 } })
    expect(outcome.content[0]).toMatchObject({ text: 'x'.repeat(5_000_000) })
  })

  it('a failure that the tool reports becomes an error outcome with its content', async () => {
    await using server = await open()
    expect(await call(server, 'fail')).toEqual({
      type: 'error',
      content: [{ type: 'text', text: 'no such file' }],
      error: { code: 'tool-failed', tool: 'mcp__fix__fail', detail: 'no such file' },
      retryable: false,
      metadata: { errno: 2 },
    })
  })

  it('a call that the server refuses gives a readable error', async () => {
    await using server = await open()
    expect(await call(server, 'refuse')).toMatchObject({
      type: 'error',
      content: [{ text: "MCP server 'fix' did not answer 'tools/call': bad params (JSON-RPC error -32602)" }],
      error: { code: 'mcp-request-failed', reason: 'refused', rpcCode: -32602 },
      retryable: false,
    })
  })

  it('a call fails when the result does not match the declared output schema', async () => {
    await using server = await open()
    const outcome = await call(server, 'lies')
    expect(outcome).toMatchObject({ type: 'error', retryable: false })
    expect(outcome.content[0]).toMatchObject({ text: expect.stringContaining('does not match the tool') })
  })

  it('a call that times out is cancelled at the server and is retryable if it is idempotent', async () => {
    await using server = await open({ callTimeoutMs: 2_000 })
    expect(await call(server, 'hang')).toMatchObject({
      type: 'error',
      content: [{ text: "MCP server 'fix' did not answer 'tools/call': it did not answer within 2000 ms" }],
      error: { code: 'tool-timeout', tool: 'mcp__fix__hang', ms: 2_000 },
      retryable: true,
    })
    expect((await seen(server)).at(-1)).toMatch(/^cancelled number .*timed out/)
  })

  it('aborting a call cancels it at the server and rejects with the reason', async () => {
    await using server = await open()
    const controller = new AbortController()
    const reason = new Error('the user left')
    await server.tools()
    const outcome = call(server, 'hang', { signal: controller.signal })
    // The server reads the ping after the call, so it has the call when it answers.
    void server.ping().then(() => controller.abort(reason))
    await expect(outcome).rejects.toBe(reason)
    expect((await seen(server)).at(-1)).toBe('cancelled number Error: the user left')
  })

  it('a call that crashes the server gives a readable error, and the next call uses a new process', async () => {
    await using server = await open()
    expect(await call(server, 'crash')).toMatchObject({
      type: 'error',
      content: [{ text: expect.stringMatching(/the server was lost: .* exited with code 7\. Its stderr ends: boom$/) }],
      error: { code: 'mcp-request-failed', reason: 'lost' },
      retryable: true,
    })
    expect(await call(server, 'echo', { input: { text: 'back' } })).toMatchObject({
      type: 'ok',
      content: [{ text: 'back' }],
    })
  })

  it('a lost call of a tool that is not idempotent reports an unknown effect', async () => {
    await using server = await open()
    await server.tools()
    const lost = call(server, 'add', { input: { name: 'x' } })
    process.kill(server.pid ?? 0, 'SIGKILL')
    const outcome = await lost
    expect(outcome).toMatchObject({ type: 'error', retryable: false })
    expect(outcome.content[0]).toMatchObject({ text: expect.stringContaining('effect is unknown') })
  })

  it('a call to a closed server is not sent and is retryable', async () => {
    const server = await open()
    const tools = await server.tools()
    await server.close()
    const source: ToolSource = { name: 'fix', tools: async () => tools, async [Symbol.asyncDispose]() {} }
    expect(await call(source, 'add')).toMatchObject({
      type: 'error',
      content: [{ text: "MCP server 'fix' failed: the server is closed. The call was not sent." }],
      error: { code: 'mcp-server-failed' },
      retryable: true,
    })
  })
})

describe('custom messages', () => {
  it('custom requests and notifications pass unchanged', async () => {
    await using server = await open()
    expect(await server.request('custom/method', { a: 1 })).toEqual({ got: { a: 1 }, 'x-kept': [1, null] })
    await server.notify('notifications/custom', { b: 2 })
    expect((await seen(server)).at(-1)).toBe('custom {"b":2}')
    await expect(server.request('no/such')).rejects.toMatchObject({ info: { rpcCode: -32601 } })
  })
})

import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { defineTool, type Tool, type ToolSource } from '@parley/core'
import { createMcpServer, openMcpServer, openMcpServers, type McpTraceContext } from '@parley/mcp'
import { createOtel } from '@parley/otel'
import { expect, it } from 'vitest'
import { assistant } from './__fixtures__/assistant.ts'

interface Frame {
  readonly jsonrpc: string
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly cursor?: string; readonly name?: string; readonly _meta?: Record<string, unknown> }
}

const tool = (name: string) => ({ name, description: 'd', inputSchema: { type: 'object' } })

/** The answers of a server of the 2025 protocol, which lists its tools on two pages. */
function answer({ method, params }: Frame): unknown {
  if (method === 'initialize') {
    return { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
  }
  if (method === 'tools/list') {
    return params?.cursor === undefined
      ? { tools: [tool('one')], nextCursor: 'p2' }
      : { tools: [tool('two'), tool('never')] }
  }
  if (method === 'tools/call') return { content: [{ type: 'text', text: params?.name ?? '' }] }
  return {}
}

async function recordingServer() {
  const frames: Frame[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      headers.push(request.headers)
      if (request.method !== 'POST') return response.writeHead(405).end()
      const frame = JSON.parse(body) as Frame
      frames.push(frame)
      if (frame.id === undefined) return response.writeHead(202).end()
      if (frame.params?.name === 'never') return undefined
      const reply = () => JSON.stringify({ jsonrpc: '2.0', id: frame.id, result: answer(frame) })
      response.writeHead(200, { 'content-type': 'application/json' })
      // The server answers the first of two calls last.
      setTimeout(() => response.end(reply()), frame.params?.name === 'one' ? 30 : 0)
      return undefined
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    frames,
    headers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

it('31: the MCP client sends JSON-RPC 2.0 and its headers, reads all pages, matches replies to calls and reports a timeout', async () => {
  await using there = await recordingServer()
  const definition = { transport: 'http', name: 's', url: there.url, headers: { 'x-team': 'blue' } } as const
  await using server = await openMcpServer(definition)
  expect((await server.tools()).map(({ name }) => name)).toEqual(['mcp__s__one', 'mcp__s__two', 'mcp__s__never'])
  const replies = await Promise.all(['one', 'two'].map(name => server.callTool(name, {})))
  expect(replies.map(({ content }) => content)).toMatchObject([[{ text: 'one' }], [{ text: 'two' }]])
  await expect(server.callTool('never', {}, { timeoutMs: 50 })).rejects.toThrow('50')
  expect(there.frames.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  expect(there.frames.find(({ method }) => method === 'notifications/initialized')).not.toHaveProperty('id')
  await expect.poll(() => there.frames.map(({ method }) => method)).toContain('notifications/cancelled')
  expect(there.headers.every(sent => sent['x-team'] === 'blue')).toBe(true)
})

it('32: two servers can offer a tool of the same name, and each call reaches its own server', async () => {
  const serve = (word: string) =>
    createMcpServer({
      name: word,
      version: '1',
      tools: [defineTool({ name: 'say', description: 'd', input: { type: 'object' }, execute: () => word })],
    })
  await using red = serve('red')
  await using blue = serve('blue')
  const listeners = [await red.listen(), await blue.listen()]
  const definitions = ['red', 'blue'].map((name, index) => ({
    transport: 'http' as const,
    name,
    url: listeners[index]?.url ?? '',
  }))
  await using opened = await openMcpServers(definitions)
  expect(opened.servers.map(({ name }) => name)).toEqual(['red', 'blue'])
  const calls = ['blue', 'red'].map(name => ({ name: `mcp__${name}__say` }))
  const given = assistant([{ toolCalls: calls }, 'x'], { tools: opened.servers })
  await given.run().result
  expect(given.sent(1).slice(2)).toEqual(['blue', 'red'])
})

it('33: a closing runtime kills a server that does not stop and reports it in its exit code', async () => {
  const server = `
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 60_000)
    require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
      const { id, method, params } = JSON.parse(line)
      const { protocolVersion } = params ?? {}
      const result = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' }, tools: [] }
      if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
    })`
  const stubborn = { transport: 'stdio', name: 's', command: process.execPath, args: ['-e', server] } as const
  const servers = await openMcpServers([stubborn, stubborn])
  const pids = servers.servers.map(({ pid = 0 }) => pid)
  const given = assistant(['Hello.'], { tools: servers.servers }, { resources: [servers] })
  await given.run().result
  // On a loaded machine, stopping two processes can take longer than the default.
  expect(await given.runtime.close({ graceMs: 60_000 })).toMatchObject({ exitCode: 1, killed: 2, errors: [] })
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  expect(servers.servers.map(({ status }) => status.state)).toEqual(['stopped', 'stopped'])
})

it('a running agent is offered the tools that its server added during the run', async () => {
  let tools: Tool[] = []
  let changed = (): void => {}
  const grow = defineTool({
    name: 'grow',
    description: 'd',
    input: { type: 'object' },
    execute: () => {
      tools = [
        grow,
        defineTool({ name: 'grown', description: 'd', input: { type: 'object' }, execute: () => 'called' }),
      ]
      changed()
      return 'grew'
    },
  })
  tools = [grow]
  const source: ToolSource = {
    name: 'garden',
    tools: async () => tools,
    onChange: listener => {
      changed = listener
      return () => {}
    },
    async [Symbol.asyncDispose]() {},
  }
  await using behind = createMcpServer({ name: 'garden', version: '1', tools: [source] })
  const { url } = await behind.listen()
  await using server = await openMcpServer({ transport: 'http', name: 'garden', url, protocol: 'auto' })
  const heard: number[] = []
  server.onChange(() => heard.push(1))
  const waiting = defineTool({
    name: 'wait',
    description: 'd',
    input: { type: 'object' },
    execute: async () => {
      // The client opens its event stream in the background, and a server tells nothing to a client that does not listen yet.
      while (heard.length === 0) {
        changed()
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      return 'heard'
    },
  })
  const calls = ['mcp__garden__grow', 'wait', 'mcp__garden__grown'].map(name => ({ toolCalls: [{ name }] }))
  const given = assistant([...calls, 'x'], { tools: [server, waiting] })
  expect(await given.run().result).toMatchObject({ status: 'completed', text: 'x' })
  expect(given.model.requests.map(request => request.tools.map(({ name }) => name))).toEqual([
    ['wait', 'mcp__garden__grow'],
    ['wait', 'mcp__garden__grow'],
    ['wait', 'mcp__garden__grow', 'mcp__garden__grown'],
    ['wait', 'mcp__garden__grow', 'mcp__garden__grown'],
  ])
  expect(given.sent(3).at(-1)).toBe('called')
})

it('a tool call over MCP sends the trace context of the span of the tool', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  try {
    const exporter = new InMemorySpanExporter()
    const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] })
    await using there = await recordingServer()
    const traceContext = (): McpTraceContext | undefined => {
      const carrier: Record<string, string> = {}
      propagation.inject(context.active(), carrier)
      const { traceparent, tracestate } = carrier
      return traceparent === undefined ? undefined : { traceparent, tracestate }
    }
    await using server = await openMcpServer({ transport: 'http', name: 's', url: there.url }, { traceContext })
    const middleware = [createOtel({ tracer: provider.getTracer('test') })]
    await assistant([{ toolCalls: [{ name: 'mcp__s__one' }] }, 'x'], { tools: [server], middleware }).run().result
    const span = exporter.getFinishedSpans().find(({ name }) => name === 'execute_tool mcp__s__one')
    const { traceId, spanId } = span?.spanContext() ?? expect.fail('no span')
    const sent = there.frames.find(({ method }) => method === 'tools/call')?.params?._meta
    expect(sent).toMatchObject({ traceparent: `00-${traceId}-${spanId}-01` })
  } finally {
    context.disable()
    propagation.disable()
  }
})

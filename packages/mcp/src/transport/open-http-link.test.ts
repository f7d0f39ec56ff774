import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { openEverything } from '../__fixtures__/open-everything.ts'
import type { McpServer } from '../client/mcp-server.ts'
import { openHttpLink } from './open-http-link.ts'
import { openMcpServer, type OpenMcpServerOptions } from '../client/open-mcp-server.ts'

interface Answer {
  readonly status?: number
  readonly body?: unknown
}

interface Peer extends AsyncDisposable {
  readonly url: string
  readonly requests: IncomingMessage[]
  /** Overrides the next answers. Without it, the server answers correctly. */
  override: ((method: string) => Answer | undefined) | undefined
  /** Makes the next answers endless. */
  endless: { readonly contentType: string; readonly onLeave: () => void } | undefined
}

/** A minimal Streamable HTTP server that records its requests. */
async function openPeer(): Promise<Peer> {
  const requests: IncomingMessage[] = []
  let sessions = 0
  const good: Record<string, () => unknown> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'peer', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
    ping: () => ({}),
  }
  const http: Server = createServer((request, response) => {
    requests.push(request)
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 200 : 405).end()
      const { id, method } = JSON.parse(text) as { id?: number; method: string }
      const { status = 200, body } = peer.override?.(method) ?? {}
      if (status !== 200) return void response.writeHead(status).end()
      if (id === undefined) return void response.writeHead(202).end()
      if (peer.endless !== undefined) {
        const { contentType, onLeave } = peer.endless
        response.writeHead(200, { 'content-type': contentType }).write('data: {')
        const timer = setInterval(() => response.write('a'.repeat(1000)), 1)
        return void response.on('close', () => {
          clearInterval(timer)
          onLeave()
        })
      }
      if (method === 'initialize') sessions += 1
      const headers = { 'content-type': 'application/json', 'mcp-session-id': `session-${sessions}` }
      const answer = { jsonrpc: '2.0', id, result: body ?? good[method]?.() }
      response.writeHead(200, headers).end(JSON.stringify(answer))
    })
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const peer: Peer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp?key=in-the-url`,
    requests,
    override: undefined,
    endless: undefined,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
  return peer
}

const open = ({ url }: { url: string }, options: OpenMcpServerOptions = {}): Promise<McpServer> => {
  const headers = { authorization: 'Bearer secret' }
  return openMcpServer({ transport: 'http', name: 'web', url, headers }, options)
}

describe('a server behind a URL', () => {
  it('every request to a URL has the headers, and closing ends the session', async () => {
    await using peer = await openPeer()
    const server = await open(peer)
    expect((await server.tools()).map(({ name }) => name)).toEqual(['mcp__web__echo'])
    expect([server.pid, server.stderr]).toEqual([undefined, ''])
    expect(await server.close()).toEqual({ outcome: 'disconnected' })
    expect(new Set(peer.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer secret']))
    expect(peer.requests.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } })
  })

  it('the tool list is fetched once more after connecting to a URL', async () => {
    await using peer = await openPeer()
    await using server = await open(peer)
    let changes = 0
    server.onChange(() => (changes += 1))
    await server.tools()
    peer.override = method => (method === 'tools/list' ? { body: { tools: [] } } : undefined)
    await expect.poll(() => changes).toBe(1)
    expect(await server.tools()).toEqual([])
  })

  it('the client repeats the handshake once when the server has forgotten the session', async () => {
    await using peer = await openPeer()
    await using server = await open(peer)
    let forgotten = true
    peer.override = method => {
      if (method === 'initialize') forgotten = false
      return forgotten ? { status: 404 } : undefined
    }
    await server.ping()
    expect(peer.requests.at(-1)?.headers['mcp-session-id']).toBe('session-2')
    peer.override = method => (method === 'ping' ? { status: 404 } : undefined)
    await expect(server.ping()).rejects.toMatchObject({ info: { code: 'mcp-request-failed', reason: 'lost' } })
  })

  it('the error names an unreachable URL without its query', async () => {
    const peer = await openPeer()
    await peer[Symbol.asyncDispose]()
    const { origin } = new URL(peer.url)
    await expect(open(peer)).rejects.toThrow(
      new RegExp(
        `^MCP server 'web' failed: ${origin}/mcp could not be reached or closed the connection\\. fetch failed: .*ECONNREFUSED`,
      ),
    )
  })

  it('a refused authorization header fails with mcp-server-failed', async () => {
    await using peer = await openPeer()
    peer.override = () => ({ status: 401 })
    await expect(open(peer)).rejects.toMatchObject({ info: { code: 'mcp-server-failed', server: 'web' } })
  })
})

it.each(['http', 'sse'] as const)('server-everything works over %s', async transport => {
  await using host = await openEverything(transport)
  await using server = await openMcpServer({ transport, name: 'real', url: host.url })
  const updates: unknown[] = []
  const result = await server.callTool('echo', { message: 'hello' })
  expect(result.content).toEqual([{ type: 'text', text: 'Echo: hello' }])
  const onProgress = ({ progress }: { progress: number }): void => void updates.push(progress)
  await server.callTool('trigger-long-running-operation', { duration: 0.2, steps: 2 }, { onProgress })
  // Over SSE, this server sends its answer before its last progress.
  expect(updates[0]).toBe(1)
  expect(await server.listResources()).toHaveLength(7)
})

it.each(['application/json', 'text/event-stream'])(
  'a call to a server whose answer (%s) never ends fails as lost, and the client leaves the connection',
  async contentType => {
    await using peer = await openPeer()
    const fetch: typeof globalThis.fetch = (...given) => globalThis.fetch(...given)
    const link = await openHttpLink({ transport: 'http', name: 'web', url: peer.url }, fetch, 10_000)
    const client = new Client({ name: 'probe', version: '1' })
    await client.connect(link.transport)
    let left = false
    peer.endless = { contentType, onLeave: () => (left = true) }
    const call = client.callTool({ name: 'echo', arguments: {} }, { timeout: 60_000 })
    await expect(call).rejects.toThrow(/closed|more than 10000 bytes/i)
    await expect.poll(() => left).toBe(true)
    expect(link.describe()).toBe('it sent a message of more than 10000 bytes.')
    await link.stop()
  },
)

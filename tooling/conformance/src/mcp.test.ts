import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { defineTool } from '@parley/core'
import { createMcpServer, openMcpServer, openMcpServers } from '@parley/mcp'
import { expect, it } from 'vitest'
import { assistant } from './__fixtures__/assistant.ts'

interface Frame {
  readonly jsonrpc: string
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly cursor?: string; readonly name?: string }
}

const tool = (name: string) => ({ name, description: 'd', inputSchema: { type: 'object' } })

/** What a server of the 2025 protocol answers: its tools on two pages, and a call that never ends. */
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
      // The first of two calls is answered last.
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

it('31: frames are JSON-RPC 2.0, pages are followed, calls get their own replies, a timeout is told, headers are sent', async () => {
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

it('32: two servers with a tool of the same name live side by side, and each is found by its name', async () => {
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

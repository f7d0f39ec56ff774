import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Tool } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { openChaosProxy, type ChaosProxy } from '../__fixtures__/open-chaos-proxy.ts'
import { openEverything } from '../__fixtures__/open-everything.ts'
import { toolSet } from '../__fixtures__/tool-set.ts'
import { createMcpServer } from '../server/create-mcp-server.ts'
import type { McpHttpDefinition } from '../config/mcp-server-definition.ts'
import type { McpServer } from './mcp-server.ts'
import { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'

interface Scene extends AsyncDisposable {
  readonly proxy: ChaosProxy
  readonly server: McpServer
}

interface SceneOptions extends OpenMcpServerOptions, Pick<McpHttpDefinition, 'callTimeoutMs' | 'protocol'> {
  readonly transport?: 'http' | 'sse' | undefined
}

/** A client, a proxy, and a server behind it. */
async function openScene(
  target: { readonly url: string } & AsyncDisposable,
  { transport = 'http', callTimeoutMs = 60_000, protocol, ...options }: SceneOptions = {},
): Promise<Scene> {
  const proxy = await openChaosProxy(target.url)
  const definition = { transport, name: 'web', url: proxy.url, callTimeoutMs, protocol } as const
  const server = await openMcpServer(definition, options)
  return {
    proxy,
    server,
    async [Symbol.asyncDispose]() {
      await server.close()
      await proxy[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}

async function openOurs(tools: readonly Tool[] = toolSet): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createMcpServer({ name: 'ours', version: '1', tools })
  return { url: (await server.listen()).url, [Symbol.asyncDispose]: () => server.close() }
}

async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'nothing was thrown',
    (error: { info?: { reason?: unknown } }) => error.info?.reason,
  )
}

describe.concurrent.each(['http', 'sse'] as const)('over %s', transport => {
  it('the client joins messages that arrive late and in pieces', async () => {
    await using scene = await openScene(await openEverything(transport), { transport })
    scene.proxy.slice = 3
    scene.proxy.latencyMs = 5
    expect((await scene.server.callTool('echo', { message: 'grüße 🙂' })).content).toEqual([
      { type: 'text', text: 'Echo: grüße 🙂' },
    ])
    expect((await scene.server.listTools()).length).toBeGreaterThan(10)
  })

  it('a call whose connection is reset fails within its timeout, and the next call succeeds', async () => {
    await using scene = await openScene(await openEverything(transport), { transport, callTimeoutMs: 4_000 })
    const long = reasonOf(scene.server.callTool('trigger-long-running-operation', { duration: 3, steps: 3 }))
    await new Promise(resolve => setTimeout(resolve, 300))
    scene.proxy.cut()
    expect(['lost', 'timeout']).toContain(await long)
    await vi.waitUntil(
      async () =>
        await scene.server.callTool('echo', { message: 'back' }).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
  })

  it('a call to a peer that silently disappeared fails after its timeout', async () => {
    await using scene = await openScene(await openEverything(transport), { transport, callTimeoutMs: 400 })
    scene.proxy.blackhole = true
    const call = scene.server.callTool('echo', { message: 'x' })
    await expect(call).rejects.toMatchObject({ info: { reason: 'timeout', timeoutMs: 400 } })
  })

  it('opening a server that never answers the handshake fails after the startup timeout', async () => {
    await using target = await openEverything(transport)
    await using proxy = await openChaosProxy(target.url)
    proxy.blackhole = true
    const definition = { transport, name: 'web', url: proxy.url, startupTimeoutMs: 300 } as const
    await expect(openMcpServer(definition)).rejects.toMatchObject({ code: 'mcp-server-failed' })
  })
})

describe.concurrent.each(['legacy', 'auto'] as const)('in %s', protocol => {
  it('the client receives messages of several mebibytes', async () => {
    await using scene = await openScene(await openOurs(), { protocol, callTimeoutMs: 15_000 })
    scene.proxy.slice = 50_000
    const { content } = await scene.server.callTool('big', { bytes: 5_000_000 })
    expect(String(content[0]?.['text'])).toHaveLength(5_000_000)
  })

  it('only an idempotent call is sent once more after the connection was lost', async () => {
    let calls = 0
    const cutting: Tool = {
      name: 'cutting',
      description: 'Cuts the connection the first time.',
      input: { type: 'object' },
      execute: async () => {
        calls += 1
        if (calls % 2 === 1) scene.proxy.cut()
        return 'survived'
      },
    }
    await using scene = await openScene(await openOurs([cutting]), { protocol })
    const again = await scene.server.callTool('cutting', {}, { idempotent: true })
    expect([again.content[0]?.['text'], calls]).toEqual(['survived', 2])
    await expect(scene.server.callTool('cutting', {})).rejects.toMatchObject({ info: { reason: 'lost' } })
    expect(calls).toBe(3)
  })

  it('the client reconnects in the background until the server is back', async () => {
    const states: string[] = []
    await using scene = await openScene(await openOurs(), {
      protocol,
      onEvent: event => event.type === 'mcp.server.state' && states.push(event.status.state),
    })
    scene.proxy.down = true
    scene.proxy.cut()
    await expect(scene.server.callTool('add', { a: 1, b: 2 })).rejects.toMatchObject({ info: { reason: 'lost' } })
    expect(scene.server.status).toMatchObject({ state: 'backoff', retryInMs: 500 })
    await vi.waitUntil(() => states.filter(state => state === 'backoff').length === 2, { timeout: 5_000 })
    scene.proxy.down = false
    await vi.waitUntil(() => scene.server.status.state === 'ready', { timeout: 5_000 })
    expect((await scene.server.callTool('add', { a: 1, b: 2 })).structuredContent).toEqual({ sum: 3 })
  })

  it('other pending calls continue when one call loses its connection', async () => {
    const gate = Promise.withResolvers<string>()
    const input = { type: 'object' }
    const tools: Tool[] = [
      { name: 'wait', description: 'Waits.', input, execute: () => gate.promise },
      { name: 'cut', description: 'Cuts its own connection.', input, execute: () => scene.proxy.cutLast() },
    ]
    await using scene = await openScene(await openOurs(tools), { protocol })
    const waiting = scene.server.callTool('wait', {})
    await new Promise(resolve => setTimeout(resolve, 100))
    await expect(scene.server.callTool('cut', {})).rejects.toMatchObject({ info: { reason: 'lost' } })
    await scene.server.ping()
    gate.resolve('done')
    expect((await waiting).content).toEqual([{ type: 'text', text: 'done' }])
  })
})

describe('a flood of notifications', () => {
  it('the client receives every one of 20,000 notifications and the result that follows', async () => {
    const count = 20_000
    await using peer = await openFlood(count)
    let heard = 0
    const definition = { transport: 'http', name: 'web', url: peer.url, callTimeoutMs: 15_000 } as const
    await using server = await openMcpServer(definition, {
      onNotification: method => {
        if (method === 'notifications/message') heard += 1
      },
    })
    const result = await server.callTool('flood', {})
    expect([result.content, heard]).toEqual([[{ type: 'text', text: 'dry again' }], count])
  })
})

/** A server whose only tool sends `count` log messages before it answers. */
async function openFlood(count: number): Promise<{ readonly url: string } & AsyncDisposable> {
  const http: Server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => (text += chunk))
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(text) as { id?: number; method: string }
      if (id === undefined) return void response.writeHead(202).end()
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const send = (message: object): boolean =>
        response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      const serverInfo = { name: 'flood', version: '1' }
      if (method === 'initialize') {
        send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo } })
        return void response.end()
      }
      for (let index = 0; index < count; index += 1) {
        send({ method: 'notifications/message', params: { level: 'info', data: index } })
      }
      send({ id, result: { content: [{ type: 'text', text: 'dry again' }] } })
      response.end()
    })
  })
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
}

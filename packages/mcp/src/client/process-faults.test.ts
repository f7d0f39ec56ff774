import { describe, expect, it } from 'vitest'
import { fixtureServer, isRunning } from '../__fixtures__/fixture-server.ts'
import type { McpServer } from './mcp-server.ts'
import { openMcpServer } from './open-mcp-server.ts'

/** The reason with which a request fails. */
async function reasonOf(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => expect.fail('it did not fail'),
    (failure: unknown) => failure,
  )
  return (error as { readonly info?: { readonly reason?: unknown } }).info?.reason
}

describe.concurrent('a server process', () => {
  it('a server that floods the client with notifications is slowed down, and calls are still answered', async () => {
    let heard = 0
    await using server = await openMcpServer(fixtureServer('floods.mjs', { callTimeoutMs: 60_000 }), {
      onNotification: () => (heard += 1),
    })
    await server.callTool('start', {})
    await expect.poll(() => heard).toBeGreaterThan(5_000)
    for (const name of ['echo', 'echo', 'stop']) {
      expect((await server.callTool(name, {})).content).toEqual([{ type: 'text', text: name }])
    }
  })

  it('calls to a frozen server fail after their timeout, and close kills it', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs', { callTimeoutMs: 300 }))
    const { pid = 0 } = server
    process.kill(pid, 'SIGSTOP')
    // More than the pipe's buffer holds, so the write itself blocks.
    const text = 'x'.repeat(1_000_000)
    const works = [server.callTool('echo', { text }), server.ping(), server.notify('notifications/x', { text })]
    expect(await Promise.all(works.map(reasonOf))).toEqual(['timeout', 'timeout', 'timeout'])
    expect(await server.close()).toEqual({ outcome: 'killed', signal: 'SIGKILL' })
    expect(isRunning(pid)).toBe(false)
  })

  it('a server that closes its stdout is lost before the call times out', async () => {
    await using server: McpServer = await openMcpServer(fixtureServer('closes-stdout.mjs', { callTimeoutMs: 60_000 }))
    const { pid = 0 } = server
    expect(await reasonOf(server.callTool('mute', {}))).toBe('lost')
    expect(server.status).toMatchObject({
      state: 'failed',
      error: { detail: expect.stringContaining('it closed its stdout') as string },
    })
    expect(isRunning(pid)).toBe(false)
    expect(await server.listTools()).toHaveLength(1)
  })

  it('close kills a server that was lost but is still running', async () => {
    const server = await openMcpServer(fixtureServer('closes-stdin.mjs', { callTimeoutMs: 60_000 }))
    const { pid = 0 } = server
    await server.callTool('deaf', {})
    expect(await reasonOf(server.ping())).toBe('lost')
    expect([server.status.state, isRunning(pid)]).toEqual(['failed', true])
    expect(await server.close()).toEqual({ outcome: 'killed', signal: 'SIGKILL' })
    expect(isRunning(pid)).toBe(false)
  })

  it('listing tools fails when the server sends endless pages', async () => {
    await using server = await openMcpServer(fixtureServer('endless-pages.mjs', { callTimeoutMs: 60_000 }))
    expect(await reasonOf(server.listTools())).toBe('invalid')
    await server.ping()
  })

  it('the timeout of one request covers all pages of a list', async () => {
    const definition = fixtureServer('endless-pages.mjs', { args: ['slow'], callTimeoutMs: 500 })
    await using server = await openMcpServer(definition)
    expect(await reasonOf(server.listTools())).toBe('timeout')
  })
})

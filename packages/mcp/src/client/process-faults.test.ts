import { describe, expect, it } from 'vitest'
import { fixtureServer, isRunning } from '../__fixtures__/fixture-server.ts'
import type { McpServer } from './mcp-server.ts'
import { openMcpServer } from './open-mcp-server.ts'

/** How long the work took, and why it failed. */
async function fails(work: Promise<unknown>): Promise<{ readonly reason: unknown; readonly ms: number }> {
  const start = performance.now()
  const error: unknown = await work.then(
    () => expect.fail('it did not fail'),
    (failure: unknown) => failure,
  )
  const { info } = error as { readonly info?: { readonly reason?: unknown } }
  return { reason: info?.reason, ms: performance.now() - start }
}

describe.concurrent('a server process', () => {
  it('that floods this side with notifications is still heard, at the pace of this side', async () => {
    let heard = 0
    await using server = await openMcpServer(fixtureServer('floods.mjs', { callTimeoutMs: 10_000 }), {
      onNotification: () => (heard += 1),
    })
    await server.callTool('start', {})
    await expect.poll(() => heard, { timeout: 10_000 }).toBeGreaterThan(5_000)
    for (const name of ['echo', 'echo', 'stop']) {
      expect((await server.callTool(name, {})).content).toEqual([{ type: 'text', text: name }])
    }
  })

  it('that is frozen holds nothing up past its time, and is gone when it is closed', async () => {
    const server = await openMcpServer(fixtureServer('scripted.mjs', { callTimeoutMs: 300 }))
    const { pid = 0 } = server
    process.kill(pid, 'SIGSTOP')
    // More than a pipe holds, so that it cannot even be written.
    const text = 'x'.repeat(1_000_000)
    const works = [server.callTool('echo', { text }), server.ping(), server.notify('notifications/x', { text })]
    for (const { reason, ms } of await Promise.all(works.map(fails))) {
      expect([reason, ms < 5_000]).toEqual(['timeout', true])
    }
    expect(await server.close()).toEqual({ outcome: 'killed', signal: 'SIGKILL' })
    expect(isRunning(pid)).toBe(false)
  })

  it('that closes its stdout is lost at once, not after the time of the call', async () => {
    await using server: McpServer = await openMcpServer(fixtureServer('closes-stdout.mjs', { callTimeoutMs: 15_000 }))
    const { pid = 0 } = server
    const { reason, ms } = await fails(server.callTool('mute', {}))
    expect([reason, ms < 8_000]).toEqual(['lost', true])
    expect(server.status).toMatchObject({
      state: 'failed',
      error: { detail: expect.stringContaining('it closed its stdout') as string },
    })
    expect(isRunning(pid)).toBe(false)
    expect(await server.listTools()).toHaveLength(1)
  })

  it('that was lost while it ran on does not outlive the close', async () => {
    const server = await openMcpServer(fixtureServer('closes-stdin.mjs', { callTimeoutMs: 10_000 }))
    const { pid = 0 } = server
    await server.callTool('deaf', {})
    expect((await fails(server.ping())).reason).toBe('lost')
    expect([server.status.state, isRunning(pid)]).toEqual(['failed', true])
    expect(await server.close()).toEqual({ outcome: 'killed', signal: 'SIGKILL' })
    expect(isRunning(pid)).toBe(false)
  })

  it('that sends pages of its list without end is given up', async () => {
    await using server = await openMcpServer(fixtureServer('endless-pages.mjs', { callTimeoutMs: 10_000 }))
    const { reason, ms } = await fails(server.listTools())
    expect([reason, ms < 12_000]).toEqual(['invalid', true])
    await server.ping()
  })

  it('whose pages come slowly has the time of one request for all of them', async () => {
    const definition = fixtureServer('endless-pages.mjs', { args: ['slow'], callTimeoutMs: 500 })
    await using server = await openMcpServer(definition)
    const { reason, ms } = await fails(server.listTools())
    expect([reason, ms < 8_000]).toEqual(['timeout', true])
  })
})

import { describe, expect, it } from 'vitest'
import { fixtureServer, publishedServer } from '../__fixtures__/fixture-server.ts'
import type { McpEvent } from '@parley/core'
import { openMcpServer } from './open-mcp-server.ts'

type Timed = McpEvent & { readonly durationMs?: number }

function recorder(): { readonly events: Timed[]; readonly onEvent: (event: McpEvent) => void } {
  const events: Timed[] = []
  return { events, onEvent: event => void events.push(event) }
}

describe('onEvent', () => {
  it('onEvent reports start, state, tool calls and stop with their durations', async () => {
    const { events, onEvent } = recorder()
    const server = await openMcpServer(fixtureServer('scripted.mjs'), { onEvent })
    await server.callTool('echo', { text: 'hi' })
    await server.callTool('fail', {})
    await server.callTool('refuse', {}).catch(() => {})
    await server.close()
    await server.close()
    expect(events.map(({ type }) => type)).toEqual([
      'mcp.server.state',
      'mcp.server.state',
      'mcp.server.started',
      'mcp.tool.invoked',
      'mcp.tool.completed',
      'mcp.tool.invoked',
      'mcp.tool.completed',
      'mcp.tool.invoked',
      'mcp.tool.completed',
      'mcp.server.state',
      'mcp.server.stopped',
    ])
    expect(events.filter(({ type }) => type === 'mcp.tool.completed')).toMatchObject([
      { tool: 'echo', isError: false },
      { tool: 'fail', isError: true },
      { tool: 'refuse', isError: false, error: { code: 'mcp-request-failed' } },
    ])
    expect(events.at(-1)).toMatchObject({ server: 'fix', outcome: 'exited' })
    const started = events.find(({ type }) => type === 'mcp.server.started')
    expect(started?.durationMs).toBeGreaterThan(5)
  })

  it('onEvent reports a server that does not start and a server that dies', async () => {
    const { events, onEvent } = recorder()
    await openMcpServer(fixtureServer('dies-at-start.mjs'), { onEvent }).catch(() => {})
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'mcp.server.failed',
        error: expect.objectContaining({ code: 'mcp-server-failed' }) as unknown,
      }),
    )
    events.length = 0
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), { onEvent })
    process.kill(server.pid ?? 0, 'SIGKILL')
    await expect.poll(() => events.map(({ type }) => type)).toContain('mcp.server.failed')
  })

  it('onEvent reports resource reads, rendered prompts and changed lists', async () => {
    const { events, onEvent } = recorder()
    const definition = publishedServer('@modelcontextprotocol/server-everything/dist/index.js')
    await using server = await openMcpServer(definition, { onEvent })
    await server.readResource('demo://resource/static/document/features.md')
    await server.getPrompt('simple-prompt')
    await server.readResource('demo://nowhere').catch(() => {})
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'mcp.resource.read', uri: 'demo://resource/static/document/features.md' }),
    )
    expect(events).toContainEqual(expect.objectContaining({ type: 'mcp.prompt.rendered', prompt: 'simple-prompt' }))
    expect(events).toContainEqual(
      expect.objectContaining({
        uri: 'demo://nowhere',
        error: expect.objectContaining({ code: 'mcp-request-failed' }) as unknown,
      }),
    )
    await expect
      .poll(() => events, { timeout: 5_000 })
      .toContainEqual({
        type: 'mcp.list.changed',
        server: 'real',
        list: 'tools',
      })
  })

  it('onEvent reports the differences of a changed tool list', async () => {
    const { events, onEvent } = recorder()
    await using server = await openMcpServer(fixtureServer('scripted.mjs'), { onEvent })
    await server.listTools()
    await server.callTool('add', { name: 'more' })
    await expect
      .poll(() => events, { timeout: 5_000 })
      .toContainEqual({ type: 'mcp.tools.changed', server: 'fix', added: ['more'], removed: [], changed: [] })
  })
})

import { describe, expect, it } from 'vitest'
import { fixtureServer, isRunning } from '../__fixtures__/fixture-server.ts'
import type { McpEvent } from '@parley/core'
import { openMcpServers } from './open-mcp-servers.ts'

const good = fixtureServer('scripted.mjs', { name: 'good' })
const bad = fixtureServer('dies-at-start.mjs', { name: 'bad' })

describe('several servers', () => {
  it('openMcpServers starts servers concurrently, finds them by name and closes them together once', async () => {
    const open = await openMcpServers([good, { ...good, name: 'other' }])
    const pids = open.servers.map(({ pid = 0 }) => pid)
    expect(open.servers.map(({ name }) => name)).toEqual(['good', 'other'])
    expect(open.get('other')).toBe(open.servers[1])
    expect(() => open.get('nope')).toThrow("servers: 'nope' is unknown; known: good, other")
    expect(pids.map(isRunning)).toEqual([true, true])
    const report = await open.close()
    expect(report).toEqual({
      killed: 0,
      servers: ['good', 'other'].map(name => ({ name, outcome: 'exited', exitCode: 0 })),
    })
    expect(pids.map(isRunning)).toEqual([false, false])
    expect(await open.close()).toBe(report)
  })

  it('servers of the same name are numbered', async () => {
    await using open = await openMcpServers([good, good, good])
    expect(open.servers.map(({ name }) => name)).toEqual(['good', 'good-1', 'good-2'])
    const [tool] = await open.get('good-1').tools()
    expect(tool?.name).toMatch(/^mcp__good-1__/)
  })

  it('the close report counts the servers that were killed', async () => {
    const stubborn = fixtureServer('ignores-stdin-close.mjs', { name: 'stubborn', args: ['stubborn'] })
    const open = await openMcpServers([good, stubborn])
    expect(await open.close()).toMatchObject({
      killed: 1,
      servers: [{ outcome: 'exited' }, { name: 'stubborn', outcome: 'killed', signal: 'SIGKILL' }],
    })
  })
})

describe('a server that does not start', () => {
  it('one server that does not start closes the others', async () => {
    const slow = fixtureServer('never-answers.mjs', { name: 'slow' })
    await expect(openMcpServers([good, slow, bad])).rejects.toMatchObject({
      info: { code: 'mcp-server-failed', server: 'bad' },
    })
  })

  it('log-and-continue reports a server that does not start and continues without it', async () => {
    const skipped: string[] = []
    const events: McpEvent[] = []
    await using open = await openMcpServers([bad, good], {
      startupPolicy: 'log-and-continue',
      onSkip: (name, { code }) => skipped.push(`${name} ${code}`),
      onEvent: event => events.push(event),
    })
    expect(open.servers.map(({ name }) => name)).toEqual(['good'])
    expect(skipped).toEqual(['bad mcp-server-failed'])
    expect(events.filter(({ type }) => type === 'mcp.server.failed')).toMatchObject([{ server: 'bad' }])
  })

  it('an invalid definition or policy is rejected before a server starts', async () => {
    const wrong = openMcpServers([good, { ...bad, cwd: 'x' }], { startupPolicy: 'log-and-continue' })
    await expect(wrong).rejects.toThrow("servers.1.cwd: must be an absolute path, not 'x'")
    // @ts-expect-error -- a configuration file may hold any value
    await expect(openMcpServers([], { startupPolicy: 'maybe' })).rejects.toThrow(
      "startupPolicy: is 'maybe'; must be fail-fast or log-and-continue",
    )
  })
})

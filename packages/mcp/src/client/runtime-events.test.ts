import type { BusEvent } from '@parley/core'
import { createEventBus } from '@parley/event-bus'
import { createRuntime, defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { fixtureServer } from '../__fixtures__/fixture-server.ts'
import { openMcpServer } from './open-mcp-server.ts'
import { openMcpServers } from './open-mcp-servers.ts'

const server = fixtureServer('tool-server.ts', { name: 'tools' })
const definition = { ...server, args: ['--conditions=@parley/source', ...(server.args ?? [])] }
const dying = fixtureServer('dies-at-start.mjs', { name: 'dying' })

function openBus() {
  const bus = createEventBus()
  const events: BusEvent[] = []
  bus.subscribe(event => void events.push(event), { name: 'audit' })
  return { bus, events, types: () => events.map(({ type }) => type).filter(type => type.startsWith('mcp.')) }
}

describe('MCP servers in the resources of a runtime', () => {
  it('the bus of the runtime gets every event of the servers, from their start to their stop, with worker and time', async () => {
    const { bus, events, types } = openBus()
    const servers = await openMcpServers([definition])
    const agent = defineAgent({ name: 'a', model: scriptedModel(['done']), tools: servers.servers })
    // The bus is closed after the servers, although the order of the list says otherwise.
    const runtime = createRuntime({ bus, resources: [servers, bus], agents: [agent], worker: 'here' })
    await servers.get('tools').callTool('add', { a: 1, b: 2 })
    await runtime.close()
    expect(types()).toEqual([
      'mcp.server.state',
      'mcp.server.state',
      'mcp.server.started',
      'mcp.tool.invoked',
      'mcp.tool.completed',
      'mcp.server.state',
      'mcp.server.stopped',
    ])
    expect(events.at(-1)?.type).toBe('runtime.closed')
    const started = events.find(event => event.type === 'mcp.server.started')
    expect(started).toMatchObject({ server: 'tools', worker: 'here', at: expect.any(Number) })
  })

  it('the bus is told of a server that log-and-continue skipped', async () => {
    const { bus, events } = openBus()
    const servers = await openMcpServers([dying, definition], { startupPolicy: 'log-and-continue' })
    await createRuntime({ bus, resources: [bus, servers] }).close()
    expect(events.filter(event => event.type === 'mcp.server.failed')).toMatchObject([{ server: 'dying' }])
  })

  it('a single server in resources reports to the bus, and a subscriber can select its events by type', async () => {
    const bus = createEventBus()
    const stopped: BusEvent[] = []
    const filter = { types: ['mcp.server.stopped'] } as const
    bus.subscribe(event => void stopped.push(event), { name: 'stops', filter })
    const server = await openMcpServer(definition)
    await createRuntime({ bus, resources: [bus, server] }).close()
    expect(stopped).toMatchObject([{ type: 'mcp.server.stopped', server: 'tools', outcome: 'exited' }])
  })
})

describe('serverInfo', () => {
  it('the tool source of a server has the serverInfo of its handshake, also after the server was closed', async () => {
    const server = await openMcpServer(definition)
    expect(server.serverInfo).toMatchObject({ name: 'tools', version: '1.2.3' })
    await server.close()
    expect(server.serverInfo).toMatchObject({ name: 'tools', version: '1.2.3' })
  })
})

import { expect, it } from 'vitest'
import { fixtureServer } from '../__fixtures__/fixture-server.ts'
import { openMcpServer } from './open-mcp-server.ts'

it.each([
  ['auto', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('with protocol %s, a server that knows all revisions uses %s', async (protocol, revision) => {
  await using server = await openMcpServer(fixtureServer('modern.mjs', { protocol }))
  expect(server.protocolVersion).toBe(revision)
  expect(server.instructions).toBe('Modern.')
  await server.ping()
  let changes = 0
  server.onChange(() => (changes += 1))
  expect((await server.tools()).map(({ name }) => name)).toEqual(
    ['echo', 'touch', 'grow', 'wait'].map(name => `mcp__fix__${name}`),
  )
  expect((await server.callTool('echo', { text: 'hello' })).content).toEqual([{ type: 'text', text: 'hello' }])
  await server.callTool('grow', {})
  await expect.poll(() => changes).toBe(1)
  expect(await server.tools()).toHaveLength(5)
  await expect(server.callTool('wait', {}, { timeoutMs: 1_000 })).rejects.toMatchObject({ info: { reason: 'timeout' } })
  await expect.poll(() => server.stderr).toBe('cancelled\n')
})

it('in revision 2026-07-28, changes arrive for subscribed resources only', async () => {
  const updated: string[] = []
  await using server = await openMcpServer(fixtureServer('modern.mjs', { protocol: '2026-07-28' }), {
    onEvent: event => event.type === 'mcp.resource.updated' && updated.push(event.uri),
  })
  await server.callTool('touch', {})
  await server.subscribeResource('note:///two')
  await server.subscribeResource('note:///one')
  await server.callTool('touch', {})
  await expect.poll(() => updated).toEqual(['note:///one'])
  await server.unsubscribeResource('note:///one')
  await server.callTool('touch', {})
  await server.ping()
  expect(updated).toEqual(['note:///one'])
})

it('protocol 2026-07-28 rejects a server that knows only older revisions', async () => {
  const definition = fixtureServer('scripted.mjs', { protocol: '2026-07-28' })
  await expect(openMcpServer(definition)).rejects.toMatchObject({ code: 'mcp-server-failed' })
})

it.each([
  ['exits on the probe', []],
  ['does not answer the probe', ['silent']],
])('protocol auto falls back to the older revision for a server that %s', async (_, args) => {
  const definition = fixtureServer('dislikes-probe.mjs', { protocol: 'auto', startupTimeoutMs: 10_000, args })
  await using server = await openMcpServer(definition)
  expect(server.protocolVersion).toBe('2025-11-25')
  await server.ping()
})

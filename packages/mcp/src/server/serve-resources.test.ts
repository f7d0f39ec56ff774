import { fileURLToPath } from 'node:url'
import type { McpEvent } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { openServed } from './__fixtures__/open-served.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { openMcpServer } from '../client/open-mcp-server.ts'
import type { McpServer } from '../client/mcp-server.ts'
import type { McpServedResource } from './serve-resources.ts'

const guide: McpServedResource = {
  uri: 'town://guide',
  name: 'Guide',
  description: 'A guide.',
  read: () => 'Turn left.',
}
const logo: McpServedResource = {
  uri: 'town://logo',
  name: 'Logo',
  mediaType: 'image/png',
  read: () => new TextEncoder().encode('png'),
}
const streets: McpServedResource = {
  uri: 'town://streets/{name}',
  name: 'Streets',
  mediaType: 'application/json',
  arguments: { name: { complete: ['high', 'low'] } },
  read: ({ name }) => (name === 'high' ? JSON.stringify({ name }) : undefined),
}

function updatesOf(client: McpServer): string[] {
  const uris: string[] = []
  client.onEvent((event: McpEvent) => {
    if (event.type === 'mcp.resource.updated') uris.push(event.uri)
  })
  return uris
}

describe.each(['legacy', 'auto'] as const)('resources, in %s', protocol => {
  it('a client lists and reads resources and templates', async () => {
    await using opened = await openServed({ resources: [guide, logo, streets] }, protocol)
    const { client } = opened
    expect(await client.listResources()).toEqual([
      { uri: 'town://guide', name: 'Guide', description: 'A guide.' },
      { uri: 'town://logo', name: 'Logo', mimeType: 'image/png' },
    ])
    expect(await client.listResourceTemplates()).toEqual([
      { uriTemplate: 'town://streets/{name}', name: 'Streets', mimeType: 'application/json' },
    ])
    expect(await client.readResource('town://guide')).toEqual([
      { uri: 'town://guide', mimeType: 'text/plain', text: 'Turn left.' },
    ])
    expect(await client.readResource('town://logo')).toEqual([
      { uri: 'town://logo', mimeType: 'image/png', blob: 'cG5n' },
    ])
    expect(await client.readResource('town://streets/high')).toEqual([
      { uri: 'town://streets/high', mimeType: 'application/json', text: '{"name":"high"}' },
    ])
    const of = { resourceTemplate: 'town://streets/{name}' }
    expect((await client.complete({ of, argument: 'name', value: 'h' })).values).toEqual(['high'])
  })

  it('a resource that does not exist is refused', async () => {
    await using opened = await openServed({ resources: [guide, streets] }, protocol)
    for (const uri of [
      'town://guid',
      'town://guide2',
      'town://streets/none',
      'town://streets/a/b',
      'file:///etc/passwd',
    ])
      await expect(opened.client.readResource(uri)).rejects.toThrow(/not found/i)
  })

  it('the words of an error of a resource reach the owner only', async () => {
    const failures: string[] = []
    const broken: McpServedResource = { uri: 'a://b', name: 'b', read: () => Promise.reject(new Error('sk-secret')) }
    const onError = ({ message }: Error): void => void failures.push(message)
    await using opened = await openServed({ resources: [broken], onError }, protocol)
    expect(await opened.client.readResource('a://b').catch(String)).not.toContain('sk-secret')
    expect(failures).toEqual(['sk-secret'])
  })

  it('a client that subscribed is notified of changes of that resource only, until it unsubscribes', async () => {
    const listeners = new Set<(uri: string) => void>()
    const watched: McpServedResource = {
      ...streets,
      onChange: listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    const change = (uri: string): void => {
      for (const listener of listeners) listener(uri)
    }
    {
      await using opened = await openServed({ resources: [guide, watched] }, protocol)
      const { client } = opened
      const updates = updatesOf(client)
      await client.subscribeResource('town://streets/high')
      change('town://streets/low')
      change('town://streets/high')
      await expect.poll(() => updates).toEqual(['town://streets/high'])
      await client.unsubscribeResource('town://streets/high')
      change('town://streets/high')
      await client.readResource('town://streets/high')
      expect(updates).toEqual(['town://streets/high'])
      expect(await opened.client.readResource('town://guide')).toHaveLength(1)
    }
    expect(listeners.size).toBe(0)
  })
})

it.each(['legacy', 'auto'] as const)('a client over stdio is notified of changes, in %s', async protocol => {
  const path = fileURLToPath(new URL('../__fixtures__/tool-server.ts', import.meta.url))
  const args = ['--conditions=@parley/source', path]
  await using client = await openMcpServer({
    transport: 'stdio',
    name: 'us',
    command: process.execPath,
    args,
    protocol,
  })
  const updates = updatesOf(client)
  await client.subscribeResource('clock://now')
  await expect.poll(() => updates.length).toBeGreaterThan(0)
  expect(updates[0]).toBe('clock://now')
})

it.each([
  [[guide, guide], "createMcpServer.resources[1].uri: is 'town://guide', the URI of another resource; must be unique"],
  [[{ ...guide, uri: 'guide' }], "createMcpServer.resources[0].uri: is 'guide'; must be a URI"],
  [[{ uri: 'a://b', name: 'b' }], 'createMcpServer.resources[0].read: is missing; must be a function'],
])('resources with a mistake are refused with their place', (resources, words) => {
  const options = { name: 'r', version: '1', tools: [], resources: resources as McpServedResource[] }
  expect(() => createMcpServer(options)).toThrow(words)
})

import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isToolOutcome, type Json, type ToolOutcome, type ToolSource } from '@parley/core'
import { describe, expect, it, vi } from 'vitest'
import { publishedServer } from '../__fixtures__/fixture-server.ts'
import { openMcpServer, type OpenMcpServerOptions } from './open-mcp-server.ts'
import type { McpServer } from './mcp-server.ts'

type Settled = Extract<ToolOutcome, { content: unknown }>

interface Call {
  readonly name: string
  readonly input: unknown
  readonly progress?: (update: Json) => void
}

async function call(source: ToolSource, { name, input, progress = () => {} }: Call): Promise<Settled> {
  const tool = (await source.tools()).find(item => item.name.endsWith(`__${name}`)) ?? expect.fail(`no tool ${name}`)
  const run = { runId: 'r', sessionId: 's', agent: 'a', scope: 'x', path: [], context: undefined }
  const { signal } = new AbortController()
  const result = await tool.execute(input, { signal, callId: 'c', idempotencyKey: 'k', progress, run })
  return isToolOutcome(result) && 'content' in result ? result : expect.fail('no outcome')
}

describe.concurrent('server-everything', () => {
  const open = (options: OpenMcpServerOptions = {}, protocol: 'legacy' | 'auto' = 'legacy'): Promise<McpServer> =>
    openMcpServer(publishedServer('@modelcontextprotocol/server-everything/dist/index.js', { protocol }), options)

  it('server-everything: tool calls give progress and structured content', async () => {
    await using server = await open()
    expect(server.instructions).toContain('Everything Server')
    expect(await call(server, { name: 'echo', input: { message: 'hello' } })).toMatchObject({
      content: [{ text: 'Echo: hello' }],
    })
    const weather = await call(server, { name: 'get-structured-content', input: { location: 'New York' } })
    expect(weather).toMatchObject({ type: 'ok', structured: { temperature: 33 } })
    const updates: Json[] = []
    await call(server, {
      name: 'trigger-long-running-operation',
      input: { duration: 0.2, steps: 4 },
      progress: update => updates.push(update),
    })
    expect(updates).toEqual([1, 2, 3, 4].map(progress => ({ progress, total: 4 })))
  })

  it('server-everything: images and resources become parts', async () => {
    await using server = await open()
    const image = await call(server, { name: 'get-tiny-image', input: {} })
    expect(image.content.map(part => (part.type === 'file' ? part.mediaType : part.type))).toEqual([
      'text',
      'image/png',
      'text',
    ])
  })

  it('server-everything: invalid arguments give an error outcome', async () => {
    await using server = await open()
    const outcome = await call(server, { name: 'get-sum', input: { a: 'one', b: 2 } })
    expect(outcome).toMatchObject({ type: 'error', retryable: false })
  })

  it('server-everything: the client lists and reads resources and prompts', async () => {
    await using server = await open()
    const resources = await server.listResources()
    expect(resources).toHaveLength(7)
    const [contents] = await server.readResource(resources[0]?.uri ?? '')
    expect(contents?.uri).toBe(resources[0]?.uri)
    expect(contents?.text).toBeTypeOf('string')
    expect(await server.listResourceTemplates()).toHaveLength(2)
    const prompts = await server.listPrompts()
    expect(prompts.map(({ name }) => name)).toContain('args-prompt')
    const prompt = await server.getPrompt('args-prompt', { city: 'Oslo' })
    expect(JSON.stringify(prompt.messages)).toContain('Oslo')
    await expect(server.readResource('demo://no/such')).rejects.toMatchObject({ code: 'mcp-request-failed' })
  })

  it('server-everything: the server answers pings and sends log messages after setLogLevel', async () => {
    const heard: string[] = []
    await using server = await open({ onNotification: method => heard.push(method) })
    await server.ping()
    await server.setLogLevel('debug')
    await server.callTool('toggle-simulated-logging', {})
    await vi.waitUntil(() => heard.includes('notifications/message'), 30_000)
  })

  it('server-everything: protocol auto falls back to 2025-11-25', async () => {
    await using server = await open({}, 'auto')
    expect(server.protocolVersion).toBe('2025-11-25')
    expect((await server.tools()).length).toBeGreaterThan(10)
  })
})

describe('server-filesystem', () => {
  it('server-filesystem: tools read and write only inside the directory', async () => {
    const directory = await realpath(await mkdtemp(join(tmpdir(), 'parley-mcp-')))
    await writeFile(join(directory, 'a.txt'), 'hello')
    const specifier = '@modelcontextprotocol/server-filesystem/dist/index.js'
    await using server = await openMcpServer(publishedServer(specifier, { name: 'fs', args: [directory] }))
    expect(await server.tools()).toHaveLength(14)
    expect(await call(server, { name: 'read_text_file', input: { path: join(directory, 'a.txt') } })).toMatchObject({
      type: 'ok',
      content: [{ text: 'hello' }],
    })
    await call(server, { name: 'write_file', input: { path: join(directory, 'b.txt'), content: 'written' } })
    expect(await readFile(join(directory, 'b.txt'), 'utf8')).toBe('written')
    expect(await call(server, { name: 'read_text_file', input: { path: '/etc/hostname' } })).toMatchObject({
      type: 'error',
    })
    await rm(directory, { recursive: true })
  })
})

describe('server-memory', () => {
  it('server-memory: entities survive a restart in the file that the environment names', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
    const specifier = '@modelcontextprotocol/server-memory/dist/index.js'
    const definition = publishedServer(specifier, { env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') } })
    {
      await using server = await openMcpServer(definition)
      expect(await server.tools()).toHaveLength(9)
      const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
      expect(await call(server, { name: 'create_entities', input: { entities } })).toMatchObject({ type: 'ok' })
    }
    await using again = await openMcpServer(definition)
    const found = await call(again, { name: 'search_nodes', input: { query: 'programs' } })
    expect(JSON.stringify(found.content)).toContain('Ada')
    expect(await again.listResources()).not.toHaveLength(0)
    await rm(directory, { recursive: true })
  })
})

describe('server-sequential-thinking', () => {
  it('server-sequential-thinking: a call succeeds while the server writes to stderr', async () => {
    await using server = await openMcpServer(
      publishedServer('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
    )
    const thought = { thought: 'First.', nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 2 }
    const outcome = await call(server, { name: 'sequentialthinking', input: thought })
    expect(outcome).toMatchObject({ type: 'ok', structured: { thoughtNumber: 1, totalThoughts: 2 } })
    // The answer and the standard error stream are two pipes, which are read in any order.
    await expect.poll(() => server.stderr).toContain('First.')
  })
})

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineMiddleware, type BusEvent, type Middleware } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import type { ConfigRegistry, ProviderFactory } from '../compose/config-registry.ts'
import { composeConfig, type ComposedConfig } from '../compose/compose-config.ts'
import { composeFile, loadConfig } from '../node/index.ts'
import { parseConfig } from '../parse/parse-config.ts'
import { configJsonSchema } from '../schema/config-schema.ts'
import { standardRegistry } from './standard-registry.ts'

const EVERYTHING = new URL('../../../../examples/config-file/everything.yaml', import.meta.url).pathname
const SERVER = new URL('../../../mcp/src/__fixtures__/scripted.mjs', import.meta.url).pathname
const DYING = new URL('../../../mcp/src/__fixtures__/dies-at-start.mjs', import.meta.url).pathname

async function compose(yaml: string, registry: ConfigRegistry = {}): Promise<ComposedConfig> {
  const config = parseConfig(yaml, { format: 'yaml', environment: {}, path: 'parley.yaml' })
  return composeConfig(config, { ...standardRegistry(), ...registry })
}

/** A middleware that notes each model call before it is passed on. */
const noting = (name: string, notes: string[]): Middleware =>
  defineMiddleware(name, () => ({
    model: (call, next) => {
      notes.push(name)
      return next(call)
    },
  }))

describe('standardRegistry', () => {
  it('the example file uses every section and every standard type, and composes without a problem', async () => {
    const environment = { OPENAI_API_KEY: 'sk-example' }
    const openai: ProviderFactory = ({ name }) => ({ name, model: id => scriptedModel(['x'], { provider: name, id }) })
    const registry = { ...standardRegistry({ store: createMemoryStore() }), providers: { openai } }
    const composed = await composeFile(EVERYTHING, registry, { environment })
    expect(composed.agents.map(({ name }) => name)).toEqual(['clerk', 'researcher'])
    const { data } = await loadConfig(EVERYTHING, { environment })
    const sections = Object.keys((configJsonSchema() as { properties: object }).properties)
    expect(sections.filter(section => section !== '$schema' && !(section in data))).toEqual([])
    const typesIn = (section: 'toolsets' | 'middleware' | 'inputFilters') =>
      Object.entries(data[section] ?? {}).map(([name, { type = name }]) => type)
    expect(typesIn('toolsets').toSorted()).toEqual(Object.keys(registry.toolsets ?? {}).toSorted())
    expect(typesIn('middleware').toSorted()).toEqual(Object.keys(registry.middlewareTypes ?? {}).toSorted())
    expect(typesIn('inputFilters')).toEqual(Object.keys(registry.inputFilterTypes ?? {}))
    const [clerk] = composed.agents
    expect(clerk?.tools?.map(tool => (typeof tool === 'string' ? tool : tool.name))).toEqual(
      expect.arrayContaining(['calculator', 'write', 'shell', 'web_search', 'look_up_order', 'docs', 'read_skill']),
    )
    expect(JSON.stringify(clerk?.instructions)).toContain('How to write an invoice')
    expect(composed.models['fast']?.info.pricing).toMatchObject({ input: 0.25, date: '2026-11-01' })
    expect(composed.runtimeOptions.defaults?.middleware?.map(({ name }) => name)).toEqual([
      'otel',
      'logging',
      'audit-log',
    ])
    await createRuntime({ ...composed.runtimeOptions, store: createMemoryStore() }).close()
  })

  it('a file may use names that the program registers: tools, middleware, input filters, and types of each', async () => {
    const notes: string[] = []
    const types: ConfigRegistry = {
      middleware: [noting('registered', notes)],
      middlewareTypes: { noted: { make: ({ as }) => noting(as as string, notes) } },
      toolsets: {
        greetings: {
          make: ({ word }) => [
            { name: 'greet', description: 'd', input: { type: 'object' }, execute: () => word as string },
          ],
        },
      },
      inputFilterTypes: { strict: { make: () => ({ name: 'strict', check: () => 'pass' as const }) } },
    }
    const model = scriptedModel([{ toolCalls: [{ name: 'greet', input: {} }] }, 'done'])
    const { runtimeOptions } = await compose(
      `
toolsets: { polite: { type: greetings, word: Hello } }
middleware: { mine: { type: noted, as: first } }
defaults: { middleware: [mine] }
agents: { clerk: { model: demo, tools: [polite], middleware: [registered], inputFilters: [strict] } }`,
      { ...types, models: { demo: model } },
    )
    await using runtime = createRuntime(runtimeOptions)
    expect((await runtime.invoke('clerk', 'hi')).text).toBe('done')
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('Hello')
    // The middleware of the defaults comes before that of the agent.
    expect(notes).toEqual(['first', 'registered', 'first', 'registered'])
  })

  it.each([
    ['agents: { clerk: { model: demo, middleware: [pii, offload] } }', 'an agent'],
    ['defaults: { middleware: [pii, offload] }\nagents: { clerk: { model: demo, middleware: [pii] } }', 'the defaults'],
  ])('a middleware brings the input filters and tools that it needs, once: %j in %s', async yaml => {
    const model = scriptedModel(['fine'])
    const { runtimeOptions, agents } = await compose(yaml, { models: { demo: model } })
    await using runtime = createRuntime(runtimeOptions)
    await runtime.invoke('clerk', 'I am ann@example.org')
    expect(JSON.stringify(model.requests)).not.toContain('ann@')
    expect(agents[0]?.tools).toMatchObject([{ name: 'read_artifact' }])
    expect(agents[0]?.inputFilters).toHaveLength(1)
  })

  it('MCP servers of a file start with the first run, report to the bus of the file, and close with the runtime', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-mcp-'))
    const path = join(folder, 'parley.yaml')
    await writeFile(
      path,
      `
mcpServers: { fix: { command: ${process.execPath}, args: ['${SERVER}'] } }
bus: { subscribers: { log: { type: file, path: events.jsonl, events: [mcp.server.started, mcp.server.stopped] } } }
agents: { clerk: { model: demo, tools: [fix] } }`,
    )
    const model = scriptedModel(['done'])
    const { runtimeOptions } = await composeFile(path, { ...standardRegistry(), models: { demo: model } })
    const runtime = createRuntime(runtimeOptions)
    await runtime.invoke('clerk', 'hi')
    expect(model.requests[0]?.tools.some(({ name }) => name.startsWith('mcp__fix__'))).toBe(true)
    expect((await runtime.close()).errors).toEqual([])
    const lines = (await readFile(join(folder, 'events.jsonl'), 'utf8')).trim().split('\n')
    const events = lines.map(line => JSON.parse(line) as BusEvent)
    expect(events).toMatchObject([
      { type: 'mcp.server.started', server: 'fix' },
      { type: 'mcp.server.stopped', server: 'fix' },
    ])
    await rm(folder, { recursive: true })
  })

  it('the startup policy of a file decides what a server that does not start does to start()', async () => {
    const yaml = (policy: string) => `
mcpServers: { dying: { command: ${process.execPath}, args: ['${DYING}'] } }
mcpStartupPolicy: ${policy}
agents: { clerk: { model: demo, tools: [dying] } }`
    const models = { demo: scriptedModel(['done without it']) }
    const strict = await compose(yaml('fail-fast'), { models })
    await expect(strict.start()).rejects.toMatchObject({ info: { code: 'mcp-server-failed', server: 'dying' } })
    const skipped: string[] = []
    const tolerant = await compose(yaml('log-and-continue'), { models })
    await tolerant.start({ onSkip: name => skipped.push(name) })
    expect(skipped).toEqual(['dying'])
    await using runtime = createRuntime(tolerant.runtimeOptions)
    expect((await runtime.invoke('clerk', 'hi')).text).toBe('done without it')
  })

  it.each([
    [
      'bus: { subscribers: { log: { type: file, path: a, events: [run.endde] } } }',
      "bus.subscribers.log.events[0] must be 'run.started'",
    ],
    [
      'bus: { subscribers: { log: { type: fiel } } }',
      "names the subscriber type 'fiel', which is not registered; did you mean 'file'?",
    ],
    ['otel: { endpiont: x }', "otel.endpiont is an unknown key; did you mean 'endpoint'?"],
    ['workspace: { roots: [] }', 'workspace.roots is an empty list'],
    ['toolsets: { files: {} }', "toolsets.files cannot be used: requires the section 'workspace': { roots: [.] }"],
    ['toolsets: { memory: {} }', 'toolsets.memory cannot be used: requires a store with notes'],
    ['middleware: { slow: { type: rate-limit } }', 'middleware.slow cannot be used: requires'],
    [
      'middleware: { mine: { type: module, module: gone.mjs } }',
      'middleware.mine cannot be used: Cannot read gone.mjs',
    ],
    [
      'middleware: { judge: { type: guard-tools, model: dmeo, policy: x } }',
      "middleware.judge.model names the model 'dmeo', which is not registered; did you mean 'demo'?",
    ],
    ['mcpServers: { far: { url: "ftp://x" } }', 'mcpServers.far.url must be an http: or https: URL'],
    [
      'mcpServers: { fs: { command: x } }\ntoolsets: { fs: { type: math } }',
      "toolsets.fs has the name of an MCP server in 'mcpServers'; rename one of them",
    ],
  ])('the error for %s names the key and what to do', async (yaml, said) => {
    const wrong = compose(`agents: { clerk: { model: demo } }\n${yaml}`, { models: { demo: scriptedModel(['x']) } })
    await expect(wrong).rejects.toThrow(said)
  })

  it('clientTools and middleware of the defaults reach the runtime', async () => {
    const { runtimeOptions } = await compose('defaults: { model: demo, clientTools: accept }\nagents: { clerk: {} }', {
      models: { demo: scriptedModel(['x']) },
    })
    expect(() => createRuntime(runtimeOptions)).not.toThrow()
    expect(runtimeOptions.defaults).toMatchObject({ clientTools: 'accept' })
  })

  it('errors show no secret of a toolset, an MCP server or a collector', async () => {
    const SECRET = 'planted-4f1d-secret'
    const wrong = compose(
      `
toolsets: { api: { type: openapi, document: a.json, auth: { type: bearer, token: ${SECRET}, more: 1 } } }
mcpServers: { far: { url: 'ftp://${SECRET}', headers: { authorization: ${SECRET} } } }
otel: { headers: { key: ${SECRET} } }
agents: { clerk: { model: ${SECRET} } }`,
    )
    const error: unknown = await wrong.catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('toolsets.api.auth.more is an unknown key')
    expect(String(error)).not.toContain(SECRET)
  })
})

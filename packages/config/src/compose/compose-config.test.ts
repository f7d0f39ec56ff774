import { defineTool, ParleyError, type Model, type ModelInfo, type ModelProvider } from '@parley/core'
import { createRuntime } from '@parley/engine'
import { createMemoryStore } from '@parley/memory-store'
import { scriptedModel, type Script } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../parse/parse-config.ts'
import { composeConfig, type ComposedConfig } from './compose-config.ts'
import type { ConfigRegistry, ProviderFactory, ProviderOptions } from './config-registry.ts'

const calculator = defineTool({
  name: 'calculator',
  description: 'Works out.',
  input: { type: 'object' },
  execute: () => '4',
})

interface Made {
  readonly factory: ProviderFactory
  /** The options of each call. */
  readonly options: readonly ProviderOptions[]
}

/** A factory of providers. All their models play the same script. */
function factoryOf(script: Script = ['fine'], info: ModelInfo = {}): Made {
  const options: ProviderOptions[] = []
  const model = scriptedModel(script, { info })
  const factory = (given: ProviderOptions): ModelProvider => {
    options.push(given)
    return {
      name: 'whatever',
      model: (id): Model => ({ provider: given.name, id, info: given.models?.[id] ?? info, stream: model.stream }),
    }
  }
  return { factory, options }
}

async function compose(yaml: string, registry: ConfigRegistry = {}, environment = {}): Promise<ComposedConfig> {
  return composeConfig(parseConfig(yaml, { format: 'yaml', environment, path: 'parley.yaml' }), registry)
}

async function complaint(yaml: string, registry: ConfigRegistry = {}, environment = {}): Promise<string> {
  const error: unknown = await compose(yaml, registry, environment).catch((thrown: unknown) => thrown)
  if (ParleyError.is(error, 'config-invalid')) return error.message
  throw new Error('the configuration has no problem', { cause: error })
}

describe('composeConfig', () => {
  it('composeConfig returns agents that a runtime can run', async () => {
    const { factory } = factoryOf([{ toolCalls: [{ name: 'calculator', input: {} }] }, 'It is 4.'])
    const { runtimeOptions } = await compose(
      `
providers: { house: { type: scripted } }
agents:
  clerk: { model: house/m1, instructions: Be short., tools: [calculator] }`,
      { providers: { scripted: factory }, tools: [calculator] },
    )
    await using runtime = createRuntime({ ...runtimeOptions, store: createMemoryStore() })
    const { text, turns } = await runtime.invoke('clerk', 'What is 2 + 2?')
    expect([text, turns]).toEqual(['It is 4.', 2])
  })

  it('composeConfig passes the fields of a provider and its name to the factory', async () => {
    const { factory, options } = factoryOf()
    await compose(
      `
providers:
  groq: { type: openai, apiKey: "\${KEY}", headers: { team: blue }, retry: { maxRetries: 1 }, quirks: groq }
  own: { options: { region: eu } }
agents: { clerk: { model: groq/llama } }`,
      { providers: { openai: factory, own: factory } },
      { KEY: 'sk-1' },
    )
    expect(options).toEqual([
      { name: 'groq', apiKey: 'sk-1', headers: { team: 'blue' }, retry: { maxRetries: 1 }, quirks: 'groq' },
      { name: 'own', options: { region: 'eu' } },
    ])
  })

  it('facts about a model in the file override those of the provider', async () => {
    const { factory, options } = factoryOf(['fine'], { contextWindow: 10, toolCalls: true })
    const { models, agents } = await compose(
      `
providers: { house: {} }
models:
  fast: { provider: house, id: m1, contextWindow: 99, pricing: { input: 1, output: 2, date: "2026-01-01" } }
  plain: { provider: house, id: m1 }
agents: { clerk: { model: fast } }`,
      { providers: { house: factory } },
    )
    const info = {
      contextWindow: 99,
      toolCalls: true,
      pricing: { input: 1, output: 2, date: '2026-01-01' },
    }
    expect(models['fast']).toMatchObject({ provider: 'house', id: 'm1', info })
    expect(models['plain']?.info).toEqual({ contextWindow: 10, toolCalls: true })
    expect(agents[0]?.model).toBe(models['fast'])
    expect(options.at(-1)?.models).toEqual({ m1: info })
  })

  it('an agent may use a registered model, or provider/id at run time', async () => {
    const { factory } = factoryOf()
    const demo = scriptedModel(['from the demo'])
    const { runtimeOptions } = await compose('providers: { house: {} }\nagents: { clerk: { model: demo } }', {
      providers: { house: factory },
      models: { demo },
    })
    await using runtime = createRuntime(runtimeOptions)
    expect((await runtime.invoke('clerk', 'hi')).text).toBe('from the demo')
    expect((await runtime.invoke({ name: 'other', model: 'house/m9' }, 'hi')).text).toBe('fine')
  })

  it('the option model replaces every model, and no provider is made', async () => {
    const model = scriptedModel(['one', 'two'])
    const { agents, models } = await compose(
      `
providers: { house: {} }
models: { fast: { provider: house, id: m1 } }
agents: { clerk: { model: fast }, helper: { model: nobody/x, context: { policy: summarize, model: fast } }, third: {} }`,
      { model },
    )
    expect(agents.map(agent => agent.model)).toEqual([model, model, model])
    expect(models).toEqual({ fast: model })
  })

  it('fields of an agent override its profile, and the profile overrides the defaults', async () => {
    const { agents, runtimeOptions } = await compose(
      `
profiles:
  careful: { instructions: Be careful., description: Of all., onTruncated: retry, limits: { maxTurns: 3, maxTokens: 500 }, settings: { temperature: 0, seed: 1 }, retry: { maxRetries: 5, factor: 3 } }
defaults: { model: demo, limits: { maxTurns: 9 }, onLimit: fail }
agents:
  clerk: { profile: careful, description: Its own., limits: { maxTurns: 7 }, settings: { temperature: 1 }, retry: { maxRetries: 1 } }`,
      { models: { demo: scriptedModel(['x']) } },
    )
    expect(agents[0]).toMatchObject({
      instructions: 'Be careful.',
      description: 'Its own.',
      onTruncated: 'retry',
      limits: { maxTurns: 7, maxTokens: 500 },
      settings: { temperature: 1, seed: 1 },
      retry: { maxRetries: 1, factor: 3 },
    })
    expect(runtimeOptions.defaults).toMatchObject({ limits: { maxTurns: 9 }, onLimit: 'fail' })
    expect(runtimeOptions.defaults?.model).toBe(agents[0]?.model)
  })

  it('an agent calls the agents of its field agents as tools', async () => {
    const models = {
      boss: scriptedModel([{ toolCalls: [{ name: 'ask', input: { task: 'count' } }] }, 'The helper says 3.']),
      helper: scriptedModel(['3']),
    }
    const { runtimeOptions, agents } = await compose(
      `
agents:
  boss: { model: boss, agents: [{ agent: helper, name: ask }] }
  helper: { model: helper, description: Counts things. }`,
      { models },
    )
    await using runtime = createRuntime({ ...runtimeOptions, store: createMemoryStore() })
    expect((await runtime.invoke('boss', 'go')).text).toBe('The helper says 3.')
    expect(agents[0]?.tools).toMatchObject([{ name: 'ask', description: 'Counts things.' }])
  })

  it('agents can hand over in a ring, and see the descriptions of their targets', async () => {
    const front = scriptedModel([{ toolCalls: [{ name: 'transfer_to_back', input: {} }] }])
    const back = scriptedModel(['It is done.'])
    const { runtimeOptions } = await compose(
      `
agents:
  front: { model: front, description: Talks., handoffs: [back] }
  back: { model: back, description: Knows bills., handoffs: [front] }`,
      { models: { front, back } },
    )
    await using runtime = createRuntime({ ...runtimeOptions, store: createMemoryStore() })
    const { text, status } = await runtime.invoke('front', 'My bill is wrong.')
    expect([status, text]).toEqual(['completed', 'It is done.'])
    expect(front.requests[0]?.tools[0]?.description).toContain('Knows bills.')
    expect(back.requests[0]?.tools[0]?.name).toBe('transfer_to_front')
  })

  it('composeConfig passes every field of an agent to the engine', async () => {
    const audit = { name: 'audit', begin: () => ({}) }
    const polite = { name: 'polite', check: () => 'pass' as const }
    const { agents } = await compose(
      `
contexts: { long: { policy: phi, keepFirstTurns: 1 } }
agents:
  clerk:
    model: demo
    instructions: [First., { text: Now., volatile: true }, { template: "{{name}}", variables: [name] }]
    tools: [calculator]
    toolDescriptions: { calculator: Counts. }
    toolExecution: { batch: 2 }
    toolTimeoutMs: 5
    permissions: [{ tool: calc*, permission: { effect: ask, roles: [clerk] } }]
    context: long
    contextWindow: 1000
    onLimit: answer
    onTruncated: { policy: retry, attempts: 2 }
    queue: { capacity: 3 }
    repairArguments: false
    output: { schema: { type: object }, name: bill, repairs: 1 }
    quota: { maxConcurrentRuns: 1 }
    approval: { webhook: { url: "https://hooks.example/x", secret: whsec_MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0 } }
    middleware: [audit]
    inputFilters: [polite]`,
      { models: { demo: scriptedModel(['x']) }, tools: [calculator], middleware: [audit], inputFilters: [polite] },
    )
    expect(agents[0]).toMatchObject({
      name: 'clerk',
      instructions: [
        { text: 'First.' },
        { text: 'Now.', volatile: true },
        { template: '{{name}}', variables: ['name'] },
      ],
      tools: [calculator],
      toolDescriptions: { calculator: 'Counts.' },
      toolExecution: { batch: 2 },
      toolTimeoutMs: 5,
      permissions: [{ tool: 'calc*', permission: { effect: 'ask', roles: ['clerk'] } }],
      context: { name: 'phi' },
      contextWindow: 1000,
      onLimit: 'answer',
      onTruncated: { policy: 'retry', attempts: 2 },
      queue: { capacity: 3 },
      repairArguments: false,
      output: { type: 'object' },
      outputOptions: { name: 'bill', repairs: 1 },
      quota: { maxConcurrentRuns: 1 },
      onApproval: expect.any(Function),
      middleware: [audit],
      inputFilters: [polite],
    })
  })

  it.each([
    ['none', 'none'],
    ['{ policy: sliding-window, maxMessages: 7 }', { name: 'sliding-window' }],
    ['{ policy: truncate-oldest, keepSystem: false }', { name: 'truncate-oldest' }],
    ['{ policy: summarize, model: demo, focus: money }', { name: 'summarize' }],
    ['{ policy: phi, scope: token-budget }', { name: 'phi' }],
  ])('composeConfig makes the context policy %s', async (yaml, policy) => {
    const { agents } = await compose(`agents: { clerk: { model: demo, context: ${yaml} } }`, {
      models: { demo: scriptedModel(['x']) },
    })
    expect(agents[0]?.context).toEqual(typeof policy === 'string' ? policy : expect.objectContaining(policy))
  })

  it('composeConfig returns the runtime options, and leaves opening the store to the caller', async () => {
    const { store, closeOptions, runtimeOptions } = await compose(
      `
agents: { clerk: { model: demo } }
runtime:
  store: postgres://db/runs
  quota: { maxConcurrentRuns: 4, onFull: refuse }
  onClose: suspend
  drainMs: 100
  graceMs: 50
  leaseMs: 2000
  captureRequests: show
  retention: { olderThanMs: 1000 }
  autoResume: [default]`,
      { models: { demo: scriptedModel(['x']) } },
    )
    expect(store).toBe('postgres://db/runs')
    expect(closeOptions).toEqual({ drainMs: 100, graceMs: 50 })
    expect(runtimeOptions).toMatchObject({
      quota: { maxConcurrentRuns: 4, onFull: 'refuse' },
      onClose: 'suspend',
      leaseMs: 2000,
      captureRequests: 'show',
      retention: { olderThanMs: 1000 },
      autoResume: ['default'],
    })
    expect(runtimeOptions).not.toHaveProperty('store')
    const runtime = createRuntime({ ...runtimeOptions, store: createMemoryStore() })
    await runtime.close(closeOptions)
  })
})

describe('errors of composeConfig', () => {
  it('one error lists all names that are not registered, with the known names', async () => {
    const { factory } = factoryOf()
    const said = await complaint(
      `
providers:
  groq: { type: opena }
  house: {}
models:
  fast: { provider: groq, id: x }
agents:
  clerk: { model: fast, tools: [calcualtor, web], middleware: [audit] }
  other: { model: hose/m1 }
  third: { tools: [calculator] }`,
      { providers: { openai: factory, house: factory }, tools: [calculator] },
    )
    expect(said.split('\n')).toEqual([
      'parley.yaml: 6 problems:',
      "(1) line 3: providers.groq.type names the provider type 'opena', which is not registered; did you mean 'openai'?",
      "(2) line 8: agents.clerk.tools[0] names the tool 'calcualtor', which is not registered; did you mean 'calculator'?",
      "(3) line 8: agents.clerk.tools[1] names the tool 'web', which is not registered; known: 'calculator'",
      "(4) line 8: agents.clerk.middleware[0] names the middleware 'audit', which is not registered; known: none",
      "(5) line 9: agents.other.model names the model 'hose/m1', which is not registered; known: 'groq/<id>', 'house/<id>'",
      "(6) line 10: agents.third.model is missing; set it here or in 'defaults'",
    ])
  })

  it('the type of a provider defaults to its name', async () => {
    const said = await complaint('providers: { groq: {} }\nagents: { clerk: { model: groq/x } }')
    expect(said).toBe(
      "parley.yaml: line 1: providers.groq.type names the provider type 'groq', which is not registered; known: none",
    )
  })

  it('an error of the engine names the line and key in the file, also in a profile', async () => {
    const models = { demo: scriptedModel(['x']) }
    const said = await complaint(
      `
profiles:
  odd:
    context: { policy: phi, compactAtPct: 0.01 }
agents:
  clerk: { model: demo, profile: odd }
  rich: { model: demo, limits: { maxCost: 1 } }
  proud: { model: demo, handoffs: [proud] }
  guarded: { model: demo, approval: { webhook: { url: "ftp://x", secret: whsec_MTIz } } }`,
      { models },
    )
    expect(said).toMatch(/line 4: profiles\.odd\.context\.compactAtPct is 0\.01.* must be above/)
    expect(said).toMatch(/line 7: agents\.rich\.limits\.maxCost .*price/)
    expect(said).toContain('line 8: agents.proud.handoffs[0] is the agent itself')
    expect(said).toMatch(/line 9: agents\.guarded\.approval\.webhook/)
  })

  it('an error of a provider factory is shown without secrets', async () => {
    const SECRET = 'sk-planted-4f1d'
    const failing =
      (error: Error): ProviderFactory =>
      () => {
        throw error
      }
    const yaml = `providers: { house: { apiKey: "\${KEY}", headers: { x: planted-header } } }\nagents: { clerk: { model: house/m } }`
    const foreseen = new ParleyError({
      code: 'config-invalid',
      path: 'baseUrl',
      detail: `no url for ${SECRET}, planted-header`,
    })
    const said = await complaint(yaml, { providers: { house: failing(foreseen) } }, { KEY: SECRET })
    expect(said).toBe('parley.yaml: line 1: providers.house.baseUrl no url for ***, ***')
    const other = compose(yaml, { providers: { house: failing(new TypeError('a bug')) } }, { KEY: SECRET })
    await expect(other).rejects.toThrow(TypeError)
  })

  it('a problem that several agents share is shown once, with the name as the file has it', async () => {
    const yaml = `defaults: { model: "\${MODEL}" }\nagents: { one: {}, two: {}, three: { model: demo, tools: ["\${TOOL}"] } }`
    const environment = { MODEL: 'dmeo', TOOL: 'sk-planted-4f1d' }
    const said = await complaint(yaml, { models: { demo: scriptedModel(['x']) } }, environment)
    expect(said.split('\n')).toEqual([
      'parley.yaml: 2 problems:',
      "(1) line 1: defaults.model names the model '${MODEL}', which is not registered; did you mean 'demo'?",
      "(2) line 2: agents.three.tools[0] names the tool '${TOOL}', which is not registered; known: none",
    ])
  })

  it('composeConfig rejects a configuration whose files were not read', async () => {
    const said = await complaint(
      'agents: { clerk: { model: demo, instructions: { file: a.md }, output: { file: b.json } } }',
      { models: { demo: scriptedModel(['x']) } },
    )
    expect(said).toContain("instructions names the file 'a.md'; only loadConfig of '@parley/config/node' reads files")
    expect(said).toContain("output names the file 'b.json'")
  })
})

import { defineMiddleware, defineTool, type Model, type ModelProvider, type ToolSource } from '@parley/core'
import { fakeClock, scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import {
  createRuntime,
  defineAgent,
  type AgentDefaults,
  type PermissionPolicyRule,
  type RuntimeOptions,
} from '../index.ts'
import { createMemoryStore } from '@parley/memory-store'
import { add } from './__fixtures__/set-up-agent.ts'

const tool = (name: string, says = name) =>
  defineTool({ name, description: 'd', input: { type: 'object' }, execute: () => says })

/** A model that calls the tool once and then repeats its result. */
const caller = (name: string) =>
  scriptedModel(({ messages }) => {
    const last = messages.at(-1)
    if (last?.role !== 'tool') return { toolCalls: [{ name }] }
    return last.content.map(part => (part.type === 'text' ? part.text : '')).join('')
  })

const provider = (name: string): ModelProvider => ({
  name,
  model: id => scriptedModel(() => `${name}/${id} speaking.`, { provider: name, id }),
})

describe('agents of a runtime', () => {
  it('agents are listed, found, registered and removed by name', async () => {
    const a = defineAgent({ name: 'a', model: scriptedModel(['I am a.']) })
    const b = defineAgent({ name: 'b', model: scriptedModel(['I am b.']) })
    const runtime = createRuntime({ agents: [a] })
    runtime.agents.register(b)
    expect(runtime.agents.list()).toEqual([a, b])
    expect(runtime.agents.get('b')).toBe(b)
    expect(await runtime.run('b', 'who?').result).toMatchObject({ text: 'I am b.' })
    runtime.agents.unregister('b')
    expect(() => runtime.run('b', 'who?')).toThrow("There is no agent named 'b'. Known agents: a.")
    expect(() => runtime.agents.unregister('b')).toThrow("There is no agent named 'b'")
    expect(() => runtime.agents.get('b')).toThrow("There is no agent named 'b'")
  })

  it('two agents cannot have the same name', () => {
    const a = defineAgent({ name: 'a', model: scriptedModel([]) })
    const runtime = createRuntime({ agents: [a] })
    expect(() => runtime.agents.register({ ...a })).toThrow("agents: two agents are named 'a'")
    expect(() => createRuntime({ agents: [a, a] })).toThrow("agents: two agents are named 'a'")
    expect(() => runtime.agents.replace({ ...a, name: 'b' })).toThrow("There is no agent named 'b'")
  })

  it('a replaced agent serves only runs that start afterward', async () => {
    const gate = Promise.withResolvers<void>()
    const runtime = createRuntime({
      agents: [defineAgent({ name: 'a', model: scriptedModel([{ until: gate.promise, text: 'old' }]) })],
    })
    const before = runtime.run('a', 'go')
    await new Promise(resolve => setImmediate(resolve))
    runtime.agents.replace(defineAgent({ name: 'a', model: scriptedModel(['new']) }))
    gate.resolve()
    expect(await before.result).toMatchObject({ text: 'old' })
    expect(await runtime.run('a', 'go').result).toMatchObject({ text: 'new' })
  })

  it('an agent stays when its replacement is rejected', async () => {
    const runtime = createRuntime({ agents: [defineAgent({ name: 'a', model: scriptedModel(['still here']) })] })
    expect(() => runtime.agents.replace({ name: 'a', model: 'nowhere/x' })).toThrow("no model named 'nowhere/x'")
    expect(() => runtime.agents.register({ name: 'b', model: scriptedModel([]), tools: ['gone'] })).toThrow(
      "There is no tool named 'gone'. There are no tools.",
    )
    expect(await runtime.run('a', 'go').result).toMatchObject({ text: 'still here' })
    expect(runtime.agents.list()).toHaveLength(1)
  })
})

describe('models by name', () => {
  const fast = scriptedModel(() => 'fast')
  const make = (model: Model | string | undefined, defaults?: AgentDefaults) =>
    createRuntime({
      models: { fast, 'odd/name': scriptedModel(() => 'odd') },
      providers: [provider('acme')],
      agents: [defineAgent({ name: 'a', model })],
      defaults,
    })

  it.each([
    ['fast', 'fast'],
    ['odd/name', 'odd'],
    ['acme/m-1', 'acme/m-1 speaking.'],
    ['acme/org/m-1', 'acme/org/m-1 speaking.'],
  ])('the model name %s is found', async (name, text) => {
    expect(await make(name).run('a', 'go').result).toMatchObject({ text })
  })

  it('the journal names the model, not its name in the runtime', async () => {
    const store = createMemoryStore()
    const runtime = createRuntime({ store, models: { fast }, agents: [{ name: 'a', model: 'fast' }] })
    const { runId } = await runtime.run('a', 'go').result
    expect((await store.read(runId))[0]).toMatchObject({ model: 'scripted/script' })
  })

  it.each(['slow', 'acme/', '/m', 'acme'])('the model name %s is rejected with a list of known models', name => {
    expect(() => make(name)).toThrow(`There is no model named '${name}'. Known models: fast, odd/name, acme/<id>.`)
  })

  it('a model name with an unknown provider is rejected, and the error names the provider', () => {
    expect(() => make('other/m')).toThrow(
      "There is no model named 'other/m': the provider 'other' is unknown. Known models: fast, odd/name, acme/<id>. Name it",
    )
  })

  it('an agent without a model uses the default and is rejected without one', async () => {
    expect(await make(undefined, { model: 'fast' }).run('a', 'go').result).toMatchObject({ text: 'fast' })
    expect(() => make(undefined)).toThrow('agents.a.model: is missing; set it to a model')
  })

  it('a cost limit requires a model with prices, also when it is named', () => {
    const agents = [{ name: 'a', model: 'acme/m', limits: { maxCost: 1 } }]
    expect(() => createRuntime({ providers: [provider('acme')], agents })).toThrow(
      'agents.a.limits.maxCost: cannot be enforced: the prices of acme/m are unknown',
    )
  })
})

describe('tools by name', () => {
  it('tools are resolved by name, and a replaced tool serves only runs that start afterward', async () => {
    const runtime = createRuntime({
      tools: [tool('look', 'old')],
      agents: [defineAgent({ name: 'a', model: caller('look'), tools: ['look', add] })],
    })
    expect(await runtime.run('a', 'go').result).toMatchObject({ text: 'old' })
    runtime.tools.replace(tool('look', 'new'))
    expect(await runtime.run('a', 'go').result).toMatchObject({ text: 'new' })
    const whole = defineAgent({ name: 'whole', model: caller('look'), tools: ['look'] })
    expect(await runtime.run(whole, 'go').result).toMatchObject({ text: 'new' })
    runtime.tools.replace(tool('look', 'newer'))
    expect(await runtime.run(whole, 'go').result).toMatchObject({ text: 'newer' })
  })

  it('a tool name may name a tool source', async () => {
    const source: ToolSource = {
      name: 'box',
      tools: async () => [tool('inside', 'from the box')],
      [Symbol.asyncDispose]: async () => {},
    }
    const runtime = createRuntime({
      tools: [source],
      agents: [defineAgent({ name: 'a', model: caller('inside'), tools: ['box'] })],
    })
    expect(await runtime.run('a', 'go').result).toMatchObject({ text: 'from the box' })
  })

  it('a removed agent stops listening to its tool sources', () => {
    const listeners = new Set<() => void>()
    const source: ToolSource = {
      name: 'box',
      tools: async () => [],
      onChange: listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      [Symbol.asyncDispose]: async () => {},
    }
    const agent = defineAgent({ name: 'a', model: scriptedModel([]), tools: ['box'] })
    const runtime = createRuntime({ tools: [source], agents: [agent] })
    runtime.agents.replace(agent)
    runtime.tools.replace(source)
    expect(listeners.size).toBe(1)
    runtime.agents.unregister('a')
    expect(listeners.size).toBe(0)
  })

  it('tools are listed, found, registered and removed by name', () => {
    const runtime = createRuntime()
    runtime.tools.register(add)
    expect(runtime.tools.get('add')).toBe(add)
    expect(runtime.tools.list()).toEqual([add])
    expect(() => runtime.tools.register(add)).toThrow("tools: two tools are named 'add'")
    runtime.tools.unregister('add')
    expect(runtime.tools.list()).toEqual([])
    expect(() => runtime.tools.unregister('add')).toThrow("There is no tool named 'add'")
    expect(() => runtime.tools.replace(add)).toThrow("There is no tool named 'add'")
    expect(() => runtime.tools.get('add')).toThrow("There is no tool named 'add'")
  })

  it('a tool that an agent names cannot be removed, and stays when its replacement is rejected', async () => {
    const runtime = createRuntime({
      tools: [tool('look')],
      agents: [defineAgent({ name: 'a', model: caller('look'), tools: ['look'] })],
    })
    expect(() => runtime.tools.unregister('look')).toThrow("tools: 'look' cannot go while agent 'a' names it")
    const broken = { ...tool('look'), input: { type: 'string' } }
    expect(() => runtime.tools.replace(broken)).toThrow("The input schema of 'look' is invalid")
    expect(await runtime.run('a', 'go').result).toMatchObject({ text: 'look' })
  })
})

describe('defaults', () => {
  it('defaults apply field by field where an agent sets nothing', async () => {
    const model = scriptedModel(() => ({ toolCalls: [{ name: 'add', input: { a: 1 } }] }))
    const runtime = createRuntime({
      defaults: { limits: { maxTurns: 3, maxTokens: 20 }, onLimit: 'fail', settings: { temperature: 0.5, seed: 1 } },
      agents: [
        defineAgent({ name: 'plain', model, tools: [add], limits: { maxTurns: undefined } }),
        defineAgent({
          name: 'own',
          model,
          tools: [add],
          limits: { maxTokens: 1_000 },
          onLimit: 'stop',
          settings: { seed: 2 },
        }),
      ],
    })
    expect(await runtime.run('plain', 'go').result).toMatchObject({
      status: 'failed',
      error: { code: 'limit-reached', limit: 'tokens', max: 20 },
    })
    expect(model.requests[0]?.settings).toEqual({ temperature: 0.5, seed: 1 })
    expect(await runtime.run('own', 'go').result).toMatchObject({ status: 'limit', hit: { limit: 'turns', max: 3 } })
    expect(model.requests.at(-1)?.settings).toEqual({ temperature: 0.5, seed: 2 })
  })

  it('defaults set toolExecution and toolTimeoutMs', async () => {
    let open = 0
    let most = 0
    const busy = defineTool({
      name: 'busy',
      description: 'd',
      input: { type: 'object' },
      async execute() {
        most = Math.max(most, ++open)
        await new Promise(resolve => setImmediate(resolve))
        open--
      },
    })
    const hang = { ...tool('hang'), execute: () => new Promise(() => {}) }
    const clock = fakeClock()
    const runtime = createRuntime({
      clock,
      defaults: { toolExecution: 'sequential', toolTimeoutMs: 100 },
      agents: [
        defineAgent({
          name: 'a',
          model: scriptedModel([{ toolCalls: [{ name: 'busy' }, { name: 'busy' }] }, 'done']),
          tools: [busy],
        }),
        defineAgent({ name: 'b', model: caller('hang'), tools: [hang] }),
      ],
    })
    const first = runtime.run('a', 'go').result
    await clock.advance(1)
    await first
    expect(most).toBe(1)
    const second = runtime.invoke('b', 'go')
    await clock.advance(2_000)
    expect((await second).text).toBe("'hang' was stopped after 100 ms without a result.")
  })
})

describe('a permission policy', () => {
  const attempt = async (
    name: string,
    permissions: readonly PermissionPolicyRule[],
    own?: readonly PermissionPolicyRule[],
  ) => {
    const runtime = createRuntime({
      defaults: { permissions },
      agents: [
        defineAgent({
          name: 'a',
          model: caller(name),
          tools: [tool('file_read', 'read'), { ...tool('file_write', 'written'), permission: 'ask' as const }],
          permissions: own,
        }),
      ],
    })
    return (await runtime.invoke('a', 'go')).text
  }

  it('a permission policy overrides the tool’s permission by the first matching rule', async () => {
    expect(await attempt('file_read', [{ tool: 'file_*', permission: 'deny' }])).toContain('not permitted')
    const rules: PermissionPolicyRule[] = [
      { tool: 'file_write', permission: 'allow' },
      { tool: '*', permission: 'deny' },
    ]
    expect(await attempt('file_write', rules)).toBe('written')
    expect(await attempt('file_read', rules)).toContain('not permitted')
    expect(await attempt('file_read', [{ tool: 'file_rea', permission: 'deny' }])).toBe('read')
    expect(await attempt('file_read', [{ tool: 'file.read', permission: 'deny' }])).toBe('read')
    expect(await attempt('file_write', [])).toContain('it requires an approval')
  })

  it('a permission rule may examine the input', async () => {
    const permission = (input: unknown) => (JSON.stringify(input) === '{}' ? 'deny' : 'allow')
    expect(await attempt('file_read', [{ tool: '*', permission }])).toContain('not permitted')
  })

  it('a permission policy of an agent replaces the default policy', async () => {
    const deny: PermissionPolicyRule[] = [{ tool: '*', permission: 'deny' }]
    expect(await attempt('file_read', deny, [{ tool: '*', permission: 'allow' }])).toBe('read')
    expect(await attempt('file_read', [], deny)).toContain('not permitted')
  })
})

describe('middleware in the defaults of a runtime', () => {
  /** A middleware that notes each model call before it is passed on. */
  const noting = (name: string, notes: string[]) =>
    defineMiddleware(name, () => ({
      model: (call, next) => {
        notes.push(name)
        return next(call)
      },
    }))

  it("the runtime's middleware runs for every agent, before the agent's own, and once if both name it", async () => {
    const notes: string[] = []
    const [outer, inner] = [noting('outer', notes), noting('inner', notes)]
    const plain = defineAgent({ name: 'plain', model: scriptedModel(['a']) })
    const own = defineAgent({ name: 'own', model: scriptedModel(['b']), middleware: [inner, outer] })
    await using runtime = createRuntime({ agents: [plain, own], defaults: { middleware: [outer] } })
    await runtime.run('plain', 'go').result
    expect(notes.splice(0)).toEqual(['outer'])
    await runtime.run('own', 'go').result
    expect(notes.splice(0)).toEqual(['outer', 'inner'])
    await runtime.run({ name: 'unregistered', model: scriptedModel(['c']) }, 'go').result
    expect(notes).toEqual(['outer'])
  })

  it('createRuntime accepts every field of AgentDefaults and rejects an invalid middleware with its path', async () => {
    const model = scriptedModel(['a'])
    expect(() => createRuntime({ defaults: { clientTools: 'accept', middleware: [], model } })).not.toThrow()
    const wrong = { defaults: { middleware: [{ name: 'x' }] } } as unknown as RuntimeOptions
    expect(() => createRuntime(wrong)).toThrow('defaults.middleware[0]: must have a begin function')
  })
})

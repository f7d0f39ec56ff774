import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '@parley/memory-store'
import { createRuntime, defineAgent, promptTemplate, type PromptTemplate } from '../../index.ts'
import { add, setup } from '../../runtime/__fixtures__/set-up-agent.ts'
import { scriptedModel } from '@parley/testing'

const greeting: PromptTemplate = {
  template: 'Greet {{ name }} in {{language}}.',
  variables: ['name', 'language'],
  required: ['name'],
}

/** The system parts that the model receives for these instructions and variables. */
async function told(instructions: PromptTemplate, variables?: Record<string, never> | Record<string, unknown>) {
  const { model, runtime } = setup(['Hi.'], { instructions })
  await runtime.run('a', 'go', { variables: variables as never }).result
  return model.requests[0]?.system
}

describe('a prompt template', () => {
  it('a prompt template inserts text unchanged and other values as JSON', async () => {
    expect(await told(greeting, { name: 'Ada', language: { code: 'fr' } })).toEqual([
      { text: 'Greet Ada in {"code":"fr"}.' },
    ])
  })

  it('an optional variable without a value is empty', async () => {
    expect(await told(greeting, { name: 'Ada' })).toEqual([{ text: 'Greet Ada in .' }])
  })

  it.each([
    [{}, "variables: the agent's instructions require 'name'"],
    [
      { name: 'Ada', nmae: 'x' },
      "variables.nmae: is not a variable of the agent's instructions; they declare name, language",
    ],
  ])('a run rejects the variables %j before it calls a model', (variables, message) => {
    const { model, runtime } = setup(['Hi.'], { instructions: greeting })
    expect(() => runtime.run('a', 'go', { variables })).toThrow(message)
    expect(model.requests).toEqual([])
  })

  it('a run rejects variables for an agent whose instructions declare none', () => {
    const { runtime } = setup(['Hi.'], { instructions: 'Be brief.' })
    expect(() => runtime.run('a', 'go', { variables: { name: 'Ada' } })).toThrow('they declare no variables')
  })

  it('built-in variables hold the time, the agent, the worker, the tools and the run’s facts', async () => {
    const template = '{{current_time}} {{agent_id}} {{runtime_id}} {{available_tools}} {{user_variables}}'
    const model = scriptedModel(['Hi.'])
    const agent = defineAgent({ name: 'a', model, tools: [add], instructions: { template, variables: ['x'] } })
    const clock = { now: () => Date.UTC(2026, 1, 3, 4, 5, 6, 789), after: () => () => {} }
    await createRuntime({ agents: [agent], worker: 'w1', clock }).run('a', 'go', { variables: { x: 1 } }).result
    expect(model.requests[0]?.system).toEqual([{ text: '2026-02-03T04:05:06Z a w1 ["add"] {"x":1}', volatile: true }])
  })

  it('a prompt template keeps its place among other instructions', async () => {
    const { model, runtime } = setup(['Hi.'], {
      instructions: [{ text: 'First.' }, { template: 'I am {{agent_id}}.' }],
    })
    await runtime.run('a', 'go').result
    expect(model.requests[0]?.system).toEqual([{ text: 'First.' }, { text: 'I am a.' }])
  })

  it('a resumed run keeps the rendered instructions', async () => {
    const store = createMemoryStore()
    const instructions = { template: '{{name}} at {{current_time}}', variables: ['name'] }
    const agentWith = (model: ReturnType<typeof scriptedModel>) => defineAgent({ name: 'a', model, instructions })
    const first = createRuntime({ agents: [agentWith(scriptedModel([{ hang: true }]))], store, worker: 'w' })
    const run = first.run('a', 'go', { variables: { name: 'Ada' } })
    for await (const event of run) if (event.type === 'model.started') break
    const model = scriptedModel(['Hi.'])
    const second = createRuntime({ agents: [agentWith(model)], store, worker: 'w' })
    await (
      await second.resume(run.runId, { force: true })
    ).result
    const [started] = await store.read(run.runId)
    const time = new Date(started?.at ?? 0).toISOString().slice(0, 19)
    expect(model.requests[0]?.system).toEqual([{ text: `Ada at ${time}Z`, volatile: true }])
  })

  it.each<[PromptTemplate, string]>([
    [{ template: 'Hi {{name}}' }, "promptTemplate.template: uses 'name', which is neither declared nor built in"],
    [{ template: 'a{{name', variables: ['name'] }, "has a '{{' at character 2 that is not closed"],
    [{ template: 'a {{}} b' }, "has '{{}}' at character 3, which is not a valid variable name"],
    [{ template: '{{a b}}', variables: ['a'] }, "has '{{a b}}'"],
    [{ template: '', required: ['x'] }, "promptTemplate.required: 'x' is not one of the variables"],
    [{ template: '', variables: ['1x'] }, "'1x' is not a valid variable name"],
    [{ template: 4 as never }, 'promptTemplate.template: must be a text'],
  ])('promptTemplate rejects %j with the error %s', (template, message) => {
    expect(() => promptTemplate(template)).toThrow(message)
  })

  it('a template may declare and require built-in variables, and the runtime sets them', async () => {
    const template = {
      template: '{{role}} {{agent_id}} {{runtime_id}} {{available_tools}} {{user_locale}}',
      variables: ['role', 'agent_id', 'runtime_id', 'available_tools', 'user_locale'],
      required: ['role', 'user_locale', 'agent_id'],
    }
    const instructions = await told(template, { role: 'helper', user_locale: 'de' })
    expect(instructions?.[0]?.text).toMatch(/^helper a \S+ \["add"\] de$/)
    await expect(told(template, { role: 'helper', user_locale: 'de', agent_id: 'forged' })).rejects.toThrow('agent_id')
    await expect(told(template, { role: 'helper' })).rejects.toThrow('user_locale')
  })

  it('defineAgent names the field of an invalid template', () => {
    expect(() => setup([], { instructions: [{ text: 'x' }, { template: '{{x}}' }] })).toThrow(
      'agents.a.instructions[1].template',
    )
    expect(() => setup([], { instructions: [{} as never] })).toThrow('agents.a.instructions[0]: must be a text')
  })

  it('braces that are escaped, in values, or only closing stay', async () => {
    const fields = { template: String.raw`\{{name}} {{name}} }} {`, variables: ['name'] }
    expect(await told(fields, { name: '{{agent_id}} $& $1' })).toEqual([{ text: '{{name}} {{agent_id}} $& $1 }} {' }])
  })

  it('braces in a value are not expanded', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('{', '}', '\\', 'agent_id', '$&', ' ') }), async value => {
        expect(await told({ template: '<{{v}}>', variables: ['v'] }, { v: value })).toEqual([{ text: `<${value}>` }])
      }),
      { numRuns: 100 },
    )
  })

  it('names of object prototype members are not variables', async () => {
    expect(await told({ template: '{{constructor}}', variables: ['constructor'] })).toEqual([{ text: '' }])
  })
})

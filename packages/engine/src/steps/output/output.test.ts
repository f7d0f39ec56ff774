import { defineTool, messageText, toolAnswer, type JsonSchemaObject, type ModelInfo } from '@parley/core'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createRuntime, defineAgent, type Agent } from '../../index.ts'
import { add, callAdd, eventsOf, setup } from '../../runtime/__fixtures__/set-up-agent.ts'

const city = z.object({ name: z.string(), people: z.number() })
const paris = { name: 'Paris', people: 2_000_000 }
const finalAnswer = (input: unknown) => ({ toolCalls: [{ name: 'final_answer', arguments: JSON.stringify(input) }] })
const wrong = JSON.stringify({ name: 'Paris' })

describe('an agent with an output schema', () => {
  it.each<[string, Partial<Agent>, 'native' | 'tool' | 'prompt']>([
    ['uses a tool if the model’s abilities are unknown', {}, 'tool'],
    [
      'uses the provider’s structured output if it has one',
      { model: scriptedModel([], { info: { structuredOutput: 'schema' } }) },
      'native',
    ],
    [
      'uses a tool if the provider cannot combine structured output with tools',
      { model: scriptedModel([], { info: { structuredOutput: 'schema', structuredOutputWithTools: false } }) },
      'tool',
    ],
    [
      'uses that provider’s structured output if the agent has no tools',
      {
        tools: [],
        model: scriptedModel([], { info: { structuredOutput: 'schema', structuredOutputWithTools: false } }),
      },
      'native',
    ],
    [
      'uses a prompt if the model supports no tools',
      { tools: [], model: scriptedModel([], { info: { toolCalls: false } }) },
      'prompt',
    ],
    ['uses the strategy that the agent names', { outputOptions: { strategy: 'prompt' } }, 'prompt'],
  ])('an agent with an output schema %s', async (_, fields, strategy) => {
    const { model = scriptedModel([]), ...rest } = fields
    const info: ModelInfo = typeof model === 'string' ? {} : model.info
    const asked = scriptedModel([strategy === 'tool' ? finalAnswer(paris) : JSON.stringify(paris)], { info })
    const agent = defineAgent({ name: 'a', tools: [add], ...rest, model: asked, output: city })
    expect(await createRuntime().run(agent, 'go').result).toMatchObject({
      status: 'completed',
      finish: 'stop',
      output: paris,
    })
    const { tools, settings, system } = asked.requests[0] ?? {}
    expect(tools?.some(({ name }) => name === 'final_answer')).toBe(strategy === 'tool')
    expect(settings?.output !== undefined).toBe(strategy === 'native')
    expect(
      (system ?? []).some(({ text }) =>
        text.includes(strategy === 'tool' ? "calling the tool 'final_answer'" : 'JSON Schema'),
      ),
    ).toBe(strategy !== 'native')
  })

  it('an agent with an output schema uses its tools before it answers', async () => {
    const given = setup([callAdd, finalAnswer(paris)], { output: city })
    const run = given.run()
    expect(await run.result).toMatchObject({ status: 'completed', output: paris, turns: 2 })
    expect((await eventsOf(run)).find(event => event.type === 'output.accepted')).toMatchObject({ value: paris })
  })

  it('other calls beside the final answer get their results', async () => {
    const both = { toolCalls: [...finalAnswer(paris).toolCalls, ...callAdd.toolCalls] }
    const result = await setup([both], { output: city }).run().result
    expect(result).toMatchObject({ status: 'completed', output: paris })
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool'])
  })

  it.each<[string, 'tool' | 'prompt', readonly (string | ReturnType<typeof finalAnswer>)[]]>([
    ['receives the faults of its call and tries again', 'tool', [finalAnswer({ name: 'Paris' }), finalAnswer(paris)]],
    ['may answer in text that fits the schema', 'tool', [`Here: \`\`\`json\n${JSON.stringify(paris)}\n\`\`\``]],
    ['is asked to use the tool after an answer in text', 'tool', ['Paris.', finalAnswer(paris)]],
    ['receives the faults of its JSON', 'prompt', [wrong, JSON.stringify(paris)]],
    [
      'may write thoughts and text around its JSON',
      'prompt',
      [`<think>{"no": 1}</think> It is ${JSON.stringify(paris)}. Good?`],
    ],
  ])('an agent with an output schema %s', async (_, strategy, script) => {
    const given = setup(script, { output: city, outputOptions: { strategy } })
    expect(await given.run().result).toMatchObject({ status: 'completed', output: paris, turns: script.length })
  })

  it('the final answer tool has the name from outputOptions', async () => {
    const call = { toolCalls: [{ name: 'report_city', arguments: JSON.stringify(paris) }] }
    const given = setup([call], { output: city, outputOptions: { name: 'report_city' } })
    expect(await given.run().result).toMatchObject({ status: 'completed', output: paris })
    expect(given.model.requests[0]?.tools.map(({ name }) => name)).toContain('report_city')
  })

  it('the model receives the given JSON Schema, and the answer is validated by the agent’s own schema', async () => {
    const hidden = {
      '~standard': {
        version: 1 as const,
        vendor: 'own',
        validate: (value: unknown) => (value === 7 ? { value: 'seven' } : { issues: [{ message: 'is not seven' }] }),
      },
    }
    const jsonSchema: JsonSchemaObject = { type: 'integer', description: 'a number between six and eight' }
    const script = ['{"value": 6}', '{"value": 7}']
    const given = setup(script, { output: hidden, outputOptions: { jsonSchema, strategy: 'prompt' } })
    expect(await given.run().result).toMatchObject({ status: 'completed', output: 'seven', turns: 2 })
    expect(JSON.stringify(given.model.requests[0]?.system)).toContain('between six and eight')
  })

  it('the model receives each fault of its answer with its path', async () => {
    const given = setup([wrong, JSON.stringify(paris)], { output: city, outputOptions: { strategy: 'prompt' } })
    const events = await eventsOf(given.run())
    const [, , repair] = given.model.requests[1]?.messages ?? []
    expect(repair === undefined ? '' : messageText(repair)).toMatch(
      /\/people .*\nAnswer with the whole corrected JSON/s,
    )
    expect(events.find(event => event.type === 'output.rejected')).toMatchObject({
      attempt: 1,
      issues: [{ path: '/people' }],
    })
  })

  it('a run fails when no answer fits after the allowed repairs', async () => {
    const given = setup(() => wrong, { output: city, outputOptions: { strategy: 'prompt', repairs: 1 } })
    expect(await given.run().result).toMatchObject({
      status: 'failed',
      error: { code: 'output-invalid', attempts: 2, issues: [{ path: '/people' }] },
      turns: 2,
    })
    const never = setup(() => wrong, { output: city, outputOptions: { strategy: 'prompt', repairs: 0 } })
    expect(await never.run().result).toMatchObject({ status: 'failed', turns: 1 })
    const defaults = setup(() => wrong, { output: city, outputOptions: { strategy: 'prompt' } })
    expect(await defaults.run().result).toMatchObject({ status: 'failed', turns: 4 })
  })

  it('a refusal of the model is not repaired', async () => {
    const given = setup([{ text: 'I will not.', finish: 'refusal' }], { output: city })
    expect(await given.run().result).toMatchObject({ status: 'failed', error: { code: 'output-invalid' }, turns: 1 })
  })

  it('the output is what the schema returns, including its transforms and refinements', async () => {
    const output = z
      .object({ at: z.iso.date() })
      .refine(({ at }) => at > '2000', 'is too early')
      .transform(({ at }) => new Date(at))
    const given = setup([finalAnswer({ at: '1999-01-01' }), finalAnswer({ at: '2026-01-01' })], { output })
    const result = await given.run().orThrow()
    expect(result.output).toEqual(new Date('2026-01-01'))
    expect(JSON.stringify(given.model.requests[1]?.messages)).toContain('is too early')
  })

  it.each<[string, JsonSchemaObject, unknown]>([
    ['a list', { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'integer' } } }, [1, 2]],
    ['text', { type: 'string' }, 'Paris'],
    ['a tree of itself', { type: 'array', items: { $ref: '#' } }, [[], [[]]]],
  ])('an output schema of %s is wrapped in an object for the model', async (_, output, value) => {
    const given = setup([finalAnswer({ value: 4 }), finalAnswer({ value })], { output })
    expect(await given.run().result).toMatchObject({ status: 'completed', output: value, turns: 2 })
    expect(given.model.requests[0]?.tools.at(-1)?.inputSchema).toMatchObject({ type: 'object', required: ['value'] })
  })

  it('the request is strict only if the schema allows it', async () => {
    const formatFor = async (output: Agent['output']) => {
      const model = scriptedModel(['{}', '{}', '{}', '{}'], { info: { structuredOutput: 'schema' } })
      await createRuntime().run({ name: 'a', model, output }, 'go').result
      return model.requests[0]?.settings.output
    }
    expect(await formatFor(city)).toMatchObject({ name: 'final_answer', strict: false })
    expect(await formatFor(z.strictObject({ name: z.string() }))).toMatchObject({ strict: true })
    expect(await formatFor(z.strictObject({ name: z.string().optional() }))).toMatchObject({ strict: false })
  })

  it('a follow-up message requires a new output', async () => {
    const given = setup([finalAnswer(paris), finalAnswer({ name: 'Rome', people: 1 })], { output: city })
    const run = given.run()
    await run.followUp('and Rome?')
    expect(await run.result).toMatchObject({ status: 'completed', output: { name: 'Rome', people: 1 }, turns: 2 })
  })

  it('output.delta events show the value while it is written', async () => {
    const shown = async (
      script: Parameters<typeof setup>[0],
      strategy: 'tool' | 'prompt',
      output: Agent['output'] = city,
    ) => {
      const { run } = setup(script, { output, outputOptions: { strategy } })
      return (await eventsOf(run())).flatMap(event => (event.type === 'output.delta' ? [event.partial] : []))
    }
    const deltas = ['{"name": "Pa', 'ris", "peop', 'le": 2000000}']
    const events = [
      { type: 'tool-call.start' as const, callId: 'c', name: 'final_answer' },
      ...deltas.map(delta => ({ type: 'tool-call.delta' as const, callId: 'c', delta })),
      { type: 'tool-call' as const, callId: 'c', name: 'final_answer', arguments: deltas.join('') },
      { type: 'finish' as const, reason: 'tool-calls' as const },
    ]
    // The clock stands still, so only the first piece and the whole value are shown.
    expect(await shown([{ events }], 'tool')).toEqual([{ name: 'Pa' }, paris])
    expect(await shown([{ text: `It is ${JSON.stringify(paris)}`, chunkSize: 20 }], 'prompt')).toEqual([
      { name: 'Paris' },
      paris,
    ])
    expect(await shown([{ text: '{"value": ["a", "b"]}', chunkSize: 14 }], 'prompt', { type: 'array' })).toEqual([
      ['a'],
      ['a', 'b'],
    ])
  })

  it.each<[string, Partial<Agent>, string]>([
    ['an invalid schema', { output: { type: 'nonsense' } }, 'agents.a.output'],
    ['an output format in its settings', { output: city, settings: { output: 'json' } }, 'agents.a.settings.output'],
    [
      'an unknown strategy',
      { output: city, outputOptions: { strategy: 'hope' as never } },
      "agents.a.outputOptions.strategy: is 'hope'",
    ],
    ['an invalid tool name', { output: city, outputOptions: { name: 'the answer' } }, 'agents.a.outputOptions.name'],
    [
      'a negative number of repairs',
      { output: city, outputOptions: { repairs: -1 } },
      'agents.a.outputOptions.repairs',
    ],
    [
      'output options without an output',
      { outputOptions: { repairs: 1 } },
      'agents.a.outputOptions: requires an output schema',
    ],
    [
      'a tool of the same name',
      { output: city, tools: [{ ...add, name: 'final_answer' }] },
      "two tools are named 'final_answer'",
    ],
  ])('an agent with an output schema rejects %s', (_, fields, message) => {
    expect(() => setup([], fields)).toThrow(message)
  })
})

describe('toolAnswer', () => {
  const submit = defineTool({
    name: 'submit',
    description: 'd',
    input: { type: 'object' },
    execute: () => toolAnswer({ done: true }),
  })

  it('toolAnswer ends the run with its value and without another model call', async () => {
    const given = setup([{ toolCalls: [{ name: 'submit' }] }], { tools: [submit] })
    expect(await given.run().result).toMatchObject({ status: 'completed', output: { done: true }, turns: 1 })
  })

  it('toolAnswer must fit the agent’s output schema', async () => {
    const given = setup([{ toolCalls: [{ name: 'submit' }] }, finalAnswer(paris)], { tools: [submit], output: city })
    expect(await given.run().result).toMatchObject({ status: 'completed', output: paris, turns: 2 })
    expect(JSON.stringify(given.model.requests[1]?.messages.at(-1))).toContain("arguments of 'submit' do not fit")
  })
})

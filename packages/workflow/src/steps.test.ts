import { defineMiddleware, defineTool, toolAnswer, toolHandoff, toolOk, type Json } from '@parley/core'
import { defineAgent } from '@parley/engine'
import { scriptedModel } from '@parley/testing'
import { describe, expect, it } from 'vitest'
import { call, echo, outcomeOf, setUpWorkflow, success } from './__fixtures__/set-up-workflow.ts'

describe('steps in order', () => {
  it('`result` is the output of the step before', async () => {
    const { outcome, calls } = setUpWorkflow([
      echo('one'),
      echo('{{result}} two'),
      echo('{{result}} three'),
      echo('{{result}} four'),
    ])
    expect(await outcome()).toEqual(success('one two three four'))
    expect(calls).toEqual(['one', 'one two', 'one two three', 'one two three four'])
  })

  it('a template reads outputs by name, by number, and by a path inside them', async () => {
    const { outcome } = setUpWorkflow([
      echo({ hits: [{ id: 7 }] }, { name: 'found' }),
      echo('x'),
      echo(['{{steps.found.output.hits.0.id}}', '{{results.1}}', '{{results}}', 'id {{steps.found.output.hits.0}}']),
    ])
    expect(await outcome()).toEqual(success([7, 'x', [{ hits: [{ id: 7 }] }, 'x'], 'id {"id":7}']))
  })

  it('inputs have the values of the run, or the defaults of the definition', async () => {
    const fields = { inputs: { tone: { default: 'plain' }, topic: {} } }
    const { outcome, runtime } = setUpWorkflow([echo('{{topic}}, {{tone}}')], { fields })
    expect(await outcome({ topic: 'tides' })).toEqual(success('tides, plain'))
    expect(await outcome({ topic: 'tides', tone: 'loud' })).toEqual(success('tides, loud'))
    expect(() => runtime.run('w', 'go')).toThrow(`require 'topic'`)
    expect(() => runtime.run('w', 'go', { variables: { topic: 't', other: 1 } })).toThrow('variables.other')
  })

  it('inserted values are not read as templates or escapes', async () => {
    const fields = { inputs: { a: {}, b: {} } }
    const { outcome } = setUpWorkflow(
      [echo('{{a}}|{{b}}'), echo('{{result}}'), call('echo', ['{{result}}', '{{a}}'])],
      { fields },
    )
    const a = String.raw`{{b}} \1 \\ {{steps.x.output}} $& $1`
    expect(await outcome({ a, b: 'B' })).toEqual(success([`${a}|B`, a]))
  })

  it('`input` is the message that started the run', async () => {
    const { run } = setUpWorkflow([echo('{{input}}!')])
    expect(await outcomeOf(run({}, 'hello'))).toEqual(success('hello!'))
  })

  it('a template that is one placeholder keeps the type of the value', async () => {
    const values: Json[] = [null, 0, false, '', 'null', '5', 5, [], {}, [null], { a: [1, { b: null }] }]
    const { outcome, calls } = setUpWorkflow(
      values.map(value => echo(value)),
      { fields: { output: '{{results}}' } },
    )
    expect(await outcome()).toEqual(success(values))
    expect(calls).toEqual(values)
  })
})

describe('types of steps', () => {
  it('the output of an agent step is the text of the answer or its structured output', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    }
    const counter = defineAgent({ name: 'counter', model: scriptedModel(() => '{"n": 3}') })
    const { run } = setUpWorkflow(
      [
        { type: 'agent', agent: 'shouter', prompt: 'say {{input}}' },
        { type: 'agent', agent: 'counter', prompt: 'count', output: schema, name: 'count' },
        echo(['{{results.0}}', '{{steps.count.output.n}}']),
      ],
      {
        options: {
          agents: [counter, defineAgent({ name: 'shouter', model: scriptedModel(() => 'SAY GO') })],
          tools: tools(),
        },
      },
    )
    expect(await outcomeOf(run())).toEqual(success(['SAY GO', 3]))
  })

  it('an agent step passes variables to the instructions of the agent', async () => {
    const model = scriptedModel(['ok'])
    const polite = defineAgent({
      name: 'polite',
      model,
      instructions: { template: 'Say {{word}}.', variables: ['word'] },
    })
    const { run } = setUpWorkflow([{ type: 'agent', agent: 'polite', prompt: 'p', variables: { word: '{{input}}' } }], {
      options: { agents: [polite] },
    })
    await run({}, 'please').result
    expect(model.requests[0]?.system).toEqual([{ text: 'Say please.' }])
  })

  it('an agent step fails if the answer was cut off', async () => {
    const cut = defineAgent({ name: 'cut', model: scriptedModel([{ text: 'half an', finish: 'length' }]) })
    const { outcome } = setUpWorkflow([{ type: 'agent', agent: 'cut', prompt: 'p' }], { options: { agents: [cut] } })
    expect(await outcome()).toMatchObject({ code: 'step-failed', step: '0', cause: 'run-failed' })
  })

  it('the output of a tool step is the result of its handler in every form', async () => {
    const tool = (name: string, execute: () => unknown) =>
      defineTool({ name, description: 'd', input: { type: 'object' }, execute })
    const given = [
      tool('number', () => 5),
      tool('text', () => '5'),
      tool('nothing', () => undefined),
      tool('date', () => ({ at: new Date(0) })),
      tool('outcome', () => toolOk('words', { data: true })),
      tool('answer', () => toolAnswer([1])),
    ]
    const { outcome } = setUpWorkflow(
      given.map(({ name }) => ({ type: 'tool', tool: name })),
      {
        fields: { output: '{{results}}' },
        options: { tools: given },
      },
    )
    expect(await outcome()).toEqual(success([5, '5', null, { at: '1970-01-01T00:00:00.000Z' }, { data: true }, [1]]))
  })

  it('middleware sees the output of a tool as structured data', async () => {
    const seen: unknown[] = []
    const watch = defineMiddleware('m', () => ({
      tool: async (call, next) => {
        const outcome = await next(call)
        if (outcome.type === 'ok') seen.push(outcome.structured)
        return outcome.type === 'ok' ? toolOk('words', outcome.structured) : outcome
      },
    }))
    const options = { tools: tools(), middleware: [watch] }
    expect(await setUpWorkflow([echo([5])], { options }).outcome()).toEqual(success([5]))
    expect(seen).toEqual([[5]])
  })

  it('a tool step fails if its tool hands over to another agent', async () => {
    const away = defineTool({
      name: 'away',
      description: 'd',
      input: { type: 'object' },
      execute: () => toolHandoff('other'),
    })
    const { outcome } = setUpWorkflow([{ type: 'tool', tool: 'away' }], { options: { tools: [away] } })
    expect(await outcome()).toMatchObject({ detail: expect.stringContaining('hands over') as string })
  })

  it('the output of a sequence is that of its last step, or its own template', async () => {
    const steps = [echo(1), echo(2)]
    const { outcome } = setUpWorkflow(
      [
        { type: 'sequence', name: 'last', steps },
        { type: 'sequence', name: 'all', steps, output: '{{results}}' },
      ],
      { fields: { output: ['{{steps.last.output}}', '{{steps.all.output}}'] } },
    )
    expect(await outcome()).toEqual(success([2, [1, 2]]))
  })

  it('the outputs of parallel branches keep the order of the branches', async () => {
    const long = { type: 'sequence', steps: [call('work', 1), call('work', 2), call('work', 3)] } as const
    const { outcome } = setUpWorkflow([{ type: 'parallel', steps: [long, echo('b'), call('work', 'c')] }])
    expect(await outcome()).toEqual(success([3, 'b', 'c']))
    expect(await setUpWorkflow([{ type: 'parallel', steps: [] }]).outcome()).toEqual(success([]))
  })

  it('a branch sees earlier results but no results of other branches', async () => {
    const branch = (n: number) => ({
      type: 'sequence' as const,
      steps: [echo(`{{result}}${n}`), echo('{{result}}{{input}}')],
    })
    const { outcome } = setUpWorkflow([echo('x'), { type: 'parallel', steps: [branch(1), branch(2)] }])
    expect(await outcome()).toEqual(success(['x1go', 'x2go']))
  })

  it('an if step runs one of its lists, and its output is null if that list is missing', async () => {
    const { outcome } = setUpWorkflow(
      [
        { type: 'if', condition: { equals: [{ variable: 'input' }, 'go'] }, steps: [echo('yes')], else: [echo('no')] },
        { type: 'if', condition: { not: true }, steps: [echo('yes')], else: [echo('no'), echo('{{result}}!')] },
        { type: 'if', condition: false, steps: [echo('yes')] },
      ],
      { fields: { output: '{{results}}' } },
    )
    expect(await outcome()).toEqual(success(['yes', 'no!', null]))
  })

  it('a map runs its steps for each item', async () => {
    const steps = [echo('{{index}}: {{item.name}}'), echo('{{result}} {{input}}')]
    const fields = { inputs: { list: {} } }
    const { outcome } = setUpWorkflow([{ type: 'map', over: 'list', steps }], { fields })
    expect(await outcome({ list: [{ name: 'a' }, { name: 'b' }] })).toEqual(success(['0: a go', '1: b go']))
    expect(await outcome({ list: [] })).toEqual(success([]))
    expect(await outcome({ list: 'ab' })).toMatchObject({
      detail: expect.stringContaining(`'list' must be a list`) as string,
    })
  })

  it('a map returns the majority, or the first success', async () => {
    const map = (reduce: 'first' | 'majority') =>
      ({ type: 'map', over: 'list', reduce, steps: [echo('{{item}}')] }) as const
    const fields = { inputs: { list: {} } }
    const majority = setUpWorkflow([map('majority')], { fields })
    expect(await majority.outcome({ list: [{ a: 1, b: 2 }, 3, { b: 2, a: 1 }] })).toEqual(success({ a: 1, b: 2 }))
    expect(await majority.outcome({ list: ['x', 'y'] })).toEqual(success('x'))
    expect(await majority.outcome({ list: [] })).toEqual(success(null))
    const first = setUpWorkflow([map('first')], { fields: { ...fields, parallelLimit: 2 } })
    expect(await first.outcome({ list: [1, 2, 3, 4] })).toEqual(success(1))
    expect(first.calls).toEqual([1, 2])
  })

  it('a repeat step stops when its condition is true, and fails after maxTimes rounds', async () => {
    const steps = [echo('{{result}}x')]
    const repeat = (maxTimes: number) =>
      ({ type: 'repeat', steps, until: { equals: [{ variable: 'result' }, 'axxx'] }, maxTimes }) as const
    expect(await setUpWorkflow([echo('a'), repeat(5)]).outcome()).toEqual(success('axxx'))
    expect(await setUpWorkflow([echo('a'), repeat(2)]).outcome()).toMatchObject({
      code: 'step-failed',
      step: '1',
      detail: 'the condition was not true after 2 rounds',
    })
  })

  it('a workflow step passes inputs, and its output is the result of the workflow', async () => {
    const inner = { name: 'inner', inputs: { a: {}, b: { default: 'B' } }, steps: [echo('{{a}}{{b}}{{input}}')] }
    const steps = [
      echo('A'),
      { type: 'workflow', workflow: 'inner', inputs: { a: '{{result}}' } },
      {
        type: 'map',
        over: 'results',
        steps: [{ type: 'workflow', workflow: 'inner', inputs: { a: '{{item}}', b: 1 } }],
      },
    ] as const
    const { outcome } = setUpWorkflow(steps, { options: { workflows: [inner], tools: tools() } })
    expect(await outcome()).toEqual(success(['A1go', 'ABgo1go']))
  })
})

function tools() {
  return [
    defineTool({
      name: 'echo',
      description: 'd',
      input: { type: 'object' },
      execute: input => (input as { value: Json }).value,
    }),
  ]
}

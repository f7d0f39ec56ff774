import { describe, expect, it } from 'vitest'
import { parseWorkflow } from '../index.ts'
import { setUpWorkflow, success } from '../__fixtures__/set-up-workflow.ts'

const base = {
  id: 'w',
  name: 'Example',
  version: 1,
  variables: [],
  failure_policy: ['Fail_fast'],
  parallel_limit: 2,
  timeout: 60,
}
const echo = (value: unknown) => ['Tool_call', { tool_name: 'echo', input: { value } }]
const run = (steps: unknown, fields: object = {}, variables?: Record<string, string[] | string>) => {
  const { name: _, steps: given, ...rest } = parseWorkflow({ ...base, steps, ...fields })
  return setUpWorkflow(given, { fields: rest }).outcome(variables)
}

describe('a definition of the P-A-R SDK', () => {
  it('a P-A-R sequence returns the list of its results', async () => {
    const agent = ['Agent_call', { agent_id: 'shouter', prompt_template: 'say {{word}}', response_schema: null }]
    const steps = [
      'Sequential',
      [agent, echo('{{result.text}}!'), echo('{{result}} {{ result_0.text }} {{word}}'), echo('{{result_1}}')],
    ]
    expect(await run(steps, { variables: [['word', 'hi']] })).toEqual(
      success(['SAY HI', 'SAY HI!', 'SAY HI! SAY HI hi', 'SAY HI!']),
    )
  })

  it('names that only templates use become inputs', async () => {
    expect(await run(echo('{{topic}}'), {}, { topic: 'tides' })).toEqual(success('tides'))
  })

  it('a P-A-R map binds each item to the name of the list', async () => {
    const steps = [
      'Map_reduce',
      { over: 'topics', step: ['Sequential', [echo('{{topics}}'), echo('{{result}}!')]], reduce: ['Collect_all'] },
    ]
    expect(await run(steps, {}, { topics: ['a', 'b'] })).toEqual(
      success([
        ['a', 'a!'],
        ['b', 'b!'],
      ]),
    )
  })

  it('failure policies are accepted as a tag or as a tagged list', async () => {
    const steps = ['Sequential', [['Tool_call', { tool_name: 'fail', input: {} }], echo('after {{result}}')]]
    const rescue = ['Conditional', { on_failure: echo('rescued') }]
    expect(await run(steps, { failure_policy: 'Fail_fast' })).toMatchObject({ code: 'step-failed' })
    expect(await run(steps, { failure_policy: 'Continue_on_failure' })).toMatchObject({
      status: 'partial',
      result: [null, 'after '],
    })
    expect(await run(steps, { failure_policy: ['Continue_on_failure'] })).toMatchObject({ status: 'partial' })
    expect(await run(steps, { failure_policy: rescue })).toMatchObject({ result: ['rescued', 'after rescued'] })
  })

  it('P-A-R conditions are evaluated', async () => {
    const when = (condition: unknown) =>
      run([
        'Sequential',
        [echo({ n: '7', list: ['a'] }), ['Conditional', { condition, then_step: echo('yes'), else_step: null }]],
      ])
    const n = ['Variable', 'result.n']
    const yes = success([{ n: '7', list: ['a'] }, 'yes'])
    expect(await when(['And', ['Greater_than', n, ['Literal', 5]], ['Not', ['Equals', n, ['Literal', 7]]]])).toEqual(
      yes,
    )
    expect(
      await when(['Or', ['Is_empty', ['Variable', 'result.list']], ['Has_key', ['Variable', 'result'], 'n']]),
    ).toEqual(yes)
    expect(await when(['Contains', ['Variable', 'result_0.list'], ['Literal', 'a']])).toEqual(yes)
    expect(await when(['Matches', n, '^\\d$'])).toEqual(yes)
    expect(await when(['Less_than', n, ['Literal', 5]])).toEqual(success([{ n: '7', list: ['a'] }, null]))
  })

  it('parseWorkflow converts a P-A-R definition to a Parley workflow', () => {
    const approval = ['Human_approval', { prompt_template: 'Pay {{sum}}?', timeout: 30, allowed_roles: ['boss'] }]
    const sub = ['Sub_workflow', { workflow_id: 'other', variables: [['x', '{{result}}']] }]
    expect(
      parseWorkflow({
        ...base,
        variables: [['sum', 5]],
        steps: ['Parallel', [['Sequential', [approval, sub]], echo(1)]],
      }),
    ).toEqual({
      name: 'w',
      description: 'Example',
      inputs: { sum: { default: 5 } },
      onFailure: 'fail',
      parallelLimit: 2,
      limits: { maxDurationMs: 60_000 },
      steps: [
        {
          type: 'parallel',
          steps: [
            {
              type: 'sequence',
              output: '{{results}}',
              steps: [
                { type: 'approval', prompt: 'Pay {{sum}}?', roles: ['boss'], timeoutMs: 30_000 },
                { type: 'workflow', workflow: 'other', inputs: { x: '{{result}}' } },
              ],
            },
            { type: 'tool', tool: 'echo', input: { value: 1 } },
          ],
        },
      ],
    })
  })

  it('parseWorkflow rejects unknown P-A-R tags and fields with their path', () => {
    const refusal =
      (steps: unknown, fields: object = {}) =>
      () =>
        parseWorkflow({ ...base, steps, ...fields })
    expect(refusal(['Loop', {}])).toThrow(`workflows.w.steps: the P-A-R step 'Loop' is unknown`)
    expect(refusal(['Sequential', [echo(1), ['Conditional', { condition: ['Xor', 1], then_step: echo(1) }]]])).toThrow(
      `workflows.w.steps[1].condition: the P-A-R expression 'Xor' is unknown`,
    )
    expect(refusal(['Agent_call', { agent_id: 'a' }])).toThrow('workflows.w.steps.prompt_template: must be a string')
    expect(refusal(echo(1), { failure_policy: 'Retry' })).toThrow(
      `workflows.w.failure_policy: the P-A-R failure policy 'Retry'`,
    )
    expect(refusal(echo(1), { extra: 1 })).toThrow('workflows.w.extra: is an unknown field')
  })
})

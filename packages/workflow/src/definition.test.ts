import { defineTool, ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { defineWorkflow, parseWorkflow, type Step, type Workflow, type WorkflowOptions } from './index.ts'
import { echo, stepParts } from './__fixtures__/set-up-workflow.ts'

const parts = stepParts().registry

function refusal(workflow: unknown, options: WorkflowOptions = parts): string {
  try {
    defineWorkflow(workflow as Workflow, options)
  } catch (error) {
    if (ParleyError.is(error, 'config-invalid')) return error.message
    throw error
  }
  return 'accepted'
}
const ofSteps = (steps: readonly unknown[], fields: object = {}, options?: WorkflowOptions): string =>
  refusal({ name: 'w', steps, ...fields }, options)

describe('errors of defineWorkflow', () => {
  it.each<[string, readonly unknown[], string]>([
    [
      'a step has an unknown type',
      [{ type: 'loop' }],
      'workflows.w.steps[0].type: must be a type of step; known: agent, tool,',
    ],
    ['a step has no type', [{}], 'workflows.w.steps[0].type: must be a type of step'],
    ['the list of steps is empty', [], 'workflows.w.steps: must have at least one step'],
    ['a field is unknown', [{ ...echo(1), inputs: {} }], 'workflows.w.steps[0].inputs: is an unknown field'],
    ['a field is missing', [{ type: 'agent', agent: 'shouter' }], 'workflows.w.steps[0].prompt:'],
    ['a name has a dot', [{ ...echo(1), name: 'a.b' }], 'workflows.w.steps[0].name: must be letters'],
    [
      'an agent is unknown',
      [{ type: 'agent', agent: 'x', prompt: 'p' }],
      `workflows.w.steps[0].agent: the agent 'x' is unknown; known: shouter`,
    ],
    [
      'a tool is unknown',
      [echo(1), { type: 'tool', tool: 'x' }],
      `workflows.w.steps[1].tool: the tool 'x' is unknown; known: echo, work`,
    ],
    [
      'a workflow is unknown',
      [{ type: 'workflow', workflow: 'x' }],
      `workflows.w.steps[0].workflow: the workflow 'x' is unknown; known: none`,
    ],
    [
      'two steps have one name',
      [echo(1, { name: 'a' }), { type: 'if', condition: 1, steps: [echo(2, { name: 'a' })] }],
      `workflows.w.steps[1].steps[0].name: 'a' is already the name of workflows.w.steps[0]`,
    ],
    [
      'a template uses an unknown name',
      [echo('{{topic}}')],
      `workflows.w.steps[0].input.value: uses 'topic', but 'topic' is unknown here; known: input, results`,
    ],
    ['a template is not closed', [echo('{{topic')], 'workflows.w.steps[0].input.value: has a'],
    ['a first step uses `result`', [echo('{{result}}')], 'no step comes before it'],
    ['a step reads a later step', [echo('{{steps.b.output}}'), echo(1, { name: 'b' })], `'steps.b' is unknown here`],
    [
      'a step reads a step of another branch',
      [{ type: 'parallel', steps: [echo(1, { name: 'a' }), echo('{{steps.a.output}}')] }],
      `workflows.w.steps[0].steps[1].input.value: uses 'steps.a.output'`,
    ],
    [
      'a step reads a step inside another',
      [{ type: 'sequence', steps: [echo(1, { name: 'a' })] }, echo('{{steps.a.output}}')],
      `'steps.a' is unknown here`,
    ],
    ['a path to a step has no output', [echo(1, { name: 'a' }), echo('{{steps.a}}')], 'must be steps.NAME.output'],
    [
      'a condition has an unknown operator',
      [{ type: 'if', condition: { equal: [1, 1] }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition: must be a condition',
    ],
    [
      'a condition has the wrong number of operands',
      [{ type: 'if', condition: { not: { equals: [1] } }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition.not.equals: must be a list of 2',
    ],
    [
      'a condition uses an unknown name',
      [{ type: 'if', condition: { and: [true, { variable: 'x' }] }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition.and[1].variable: uses',
    ],
    [
      'a pattern is invalid',
      [{ type: 'if', condition: { matches: ['a', '('] }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition.matches[1]: must be an RE2 pattern',
    ],
    [
      'a pattern has a back reference',
      [{ type: 'if', condition: { matches: ['a', '(a)\\1'] }, steps: [echo(1)] }],
      'must be an RE2 pattern',
    ],
    [
      'a list is unknown',
      [{ type: 'map', over: 'items', steps: [echo(1)] }],
      `workflows.w.steps[0].over: uses 'items'`,
    ],
    [
      'nested maps have the same item name',
      [echo([]), { type: 'map', over: 'result', steps: [{ type: 'map', over: 'item', steps: [echo(1)] }] }],
      `.steps[0].as: 'item' is already the name of another value`,
    ],
    [
      'an item name is reserved',
      [echo([]), { type: 'map', over: 'result', as: 'result', steps: [echo(1)] }],
      `workflows.w.steps[1].as: 'result' is reserved`,
    ],
    [
      'a repeat step has no maxTimes',
      [{ type: 'repeat', steps: [echo(1)], until: false }],
      'workflows.w.steps[0].maxTimes',
    ],
    [
      'an approval has no roles',
      [{ type: 'approval', prompt: 'p', roles: [] }],
      'workflows.w.steps[0].roles: must name',
    ],
    [
      'onTimeout is set without timeoutMs',
      [{ type: 'approval', prompt: 'p', onTimeout: [echo(1)] }],
      'workflows.w.steps[0].onTimeout: requires timeoutMs',
    ],
    [
      'a failure policy is unknown',
      [{ ...echo(1), onFailure: 'retry' }],
      `workflows.w.steps[0].onFailure: must be 'fail', 'continue'`,
    ],
    [
      'a failure policy has an invalid step',
      [{ ...echo(1), onFailure: { run: [{ type: 'tool' }] } }],
      'workflows.w.steps[0].onFailure.run[0].tool',
    ],
    [
      'a failure policy uses an unknown name',
      [{ ...echo(1), onFailure: { run: [echo('{{nothing}}')] } }],
      'workflows.w.steps[0].onFailure.run[0].input.value',
    ],
    ['a step names an internal tool', [{ type: 'tool', tool: 'step_end' }], `the tool 'step_end' is unknown`],
  ])('defineWorkflow rejects a definition if %s', (_, steps, message) => {
    expect(ofSteps(steps)).toContain(message)
  })

  it('defineWorkflow rejects an unused input and a reserved input name', () => {
    expect(ofSteps([echo(1)], { inputs: { unused: {} } })).toBe('workflows.w.inputs.unused: is not used by any step')
    expect(ofSteps([echo(1)], { inputs: { result: {} } })).toContain('workflows.w.inputs.result: is reserved')
    expect(ofSteps([echo(1)], { inputs: { agent_id: {} } })).toContain('workflows.w.inputs.agent_id: is reserved')
    const used = {
      type: 'map',
      over: 'a',
      steps: [echo(1), { type: 'if', condition: { variable: 'b' }, steps: [echo('{{c}}')] }],
    }
    expect(ofSteps([used], { inputs: { a: {}, b: {}, c: {} } })).toBe('accepted')
  })

  it('defineWorkflow rejects workflows that contain each other, and unknown or missing inputs', () => {
    const workflow = (name: string, inner: string) => ({
      name,
      steps: [{ type: 'workflow' as const, workflow: inner }],
    })
    const options = { ...parts, workflows: [workflow('a', 'b'), workflow('b', 'a')] }
    expect(refusal(workflow('w', 'a'), options)).toBe('workflows.a: contains itself: w → a → b → a')
    const inner = { name: 'i', inputs: { x: {} }, steps: [echo('{{x}}')] }
    const given = (inputs: object) =>
      ofSteps([{ type: 'workflow', workflow: 'i', inputs }], {}, { ...parts, workflows: [inner] })
    expect(given({ x: 1, y: 2 })).toBe(`workflows.w.steps[0].inputs.y: is an unknown input of 'i'`)
    expect(given({})).toBe(`workflows.w.steps[0].inputs: must have a value for 'x' of 'i'`)
    expect(given({ x: 1 })).toBe('accepted')
  })

  it('defineWorkflow lists every invalid field, and suggests the field that a misspelled one means', () => {
    const misspelled = { name: 'w', step: [echo(1)], limit: 3 } as unknown as Workflow
    expect(() => defineWorkflow(misspelled, parts)).toThrow(
      /^workflows\.w\.steps: .*; workflows\.w\.step: is an unknown field; did you mean 'steps'\?; workflows\.w\.limit: is an unknown field; did you mean 'limits'\?$/,
    )
  })

  it('defineWorkflow rejects two agents, tools or workflows with the same name', () => {
    const twice = (kind: 'agents' | 'tools' | 'workflows') =>
      ofSteps([echo(1)], {}, { ...parts, [kind]: [...doubles[kind], ...doubles[kind]] })
    const doubles = { agents: parts.agents, tools: parts.tools, workflows: [{ name: 'i', steps: [echo(1)] }] }
    expect(twice('agents')).toBe(`agents: must have unique names; 'shouter' is repeated`)
    expect(twice('tools')).toBe(`tools: must have unique names; 'echo' is repeated`)
    expect(twice('workflows')).toBe(`workflows: must have unique names; 'i' is repeated`)
  })

  it('defineWorkflow rejects a workflow with more than 10000 steps', () => {
    const twice = (name: string, inner: string) => ({
      name,
      steps: [1, 2].map((): Step => ({ type: 'workflow', workflow: inner })),
    })
    const workflows = Array.from({ length: 20 }, (_, n) => twice(`w${n}`, `w${n + 1}`))
    expect(
      refusal(twice('w', 'w0'), { ...parts, workflows: [...workflows, { name: 'w20', steps: [echo(1)] }] }),
    ).toContain('exceeds 10000 steps')
  })

  it('defineWorkflow rejects an output schema for an agent that is known only by name', () => {
    const step = { type: 'agent', agent: 'far', prompt: 'p', output: { type: 'object' } }
    expect(ofSteps([step], {}, { agents: ['far'] })).toContain(`requires the agent 'far' itself`)
  })
})

it('defineWorkflow accepts an unknown tool if a tool source may have it', () => {
  const source = { name: 's', tools: () => Promise.resolve([]), [Symbol.asyncDispose]: () => Promise.resolve() }
  expect(ofSteps([{ type: 'tool', tool: 'later' }], {}, { tools: [source] })).toBe('accepted')
})

it('parseWorkflow returns the same definition after a JSON round trip', () => {
  const workflow: Workflow = {
    name: 'w',
    inputs: { list: { default: [] } },
    steps: [
      {
        type: 'map',
        over: 'list',
        steps: [{ type: 'approval', prompt: '{{item}}?', onRejected: [echo('{{reason}}')] }],
      },
      { type: 'repeat', until: { matches: [{ variable: 'result' }, '^x'] }, maxTimes: 3, steps: [echo('x')] },
    ],
  }
  expect(parseWorkflow(JSON.parse(JSON.stringify(workflow)))).toEqual(workflow)
})

it('defineWorkflow rejects a step whose tool has a reserved name', () => {
  const own = defineTool({ name: 'step_end', description: 'd', input: { type: 'object' }, execute: () => 1 })
  expect(ofSteps([{ type: 'tool', tool: 'step_end' }], {}, { tools: [own] })).toContain('is reserved for workflows')
})

import { defineTool, ParleyError } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { defineWorkflow, parseWorkflow, type Step, type Workflow, type WorkflowOptions } from './index.ts'
import { echo, stepParts } from './__fixtures__/set-up-workflow.ts'

const parts = stepParts()

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

describe('a definition is refused, with the path of what is wrong, when', () => {
  it.each<[string, readonly unknown[], string]>([
    ['a step is of no known type', [{ type: 'loop' }], 'workflows.w.steps[0].type: is no type of step: agent, tool,'],
    ['a step has no type', [{}], 'workflows.w.steps[0].type: is no type of step'],
    ['there is no step', [], 'workflows.w.steps: has no step'],
    ['a field has another name', [{ ...echo(1), inputs: {} }], 'workflows.w.steps[0].inputs: is no field here'],
    ['a field is missing', [{ type: 'agent', agent: 'shouter' }], 'workflows.w.steps[0].prompt:'],
    ['a name has a dot', [{ ...echo(1), name: 'a.b' }], 'workflows.w.steps[0].name: must be letters'],
    [
      'an agent is unknown',
      [{ type: 'agent', agent: 'x', prompt: 'p' }],
      `workflows.w.steps[0].agent: there is no agent 'x'; given were shouter`,
    ],
    [
      'a tool is unknown',
      [echo(1), { type: 'tool', tool: 'x' }],
      `workflows.w.steps[1].tool: there is no tool 'x'; given were echo, work`,
    ],
    [
      'a workflow is unknown',
      [{ type: 'workflow', workflow: 'x' }],
      `workflows.w.steps[0].workflow: there is no workflow 'x'; none was given`,
    ],
    [
      'two steps have one name',
      [echo(1, { name: 'a' }), { type: 'if', condition: 1, steps: [echo(2, { name: 'a' })] }],
      `workflows.w.steps[1].steps[0].name: 'a' is the name of workflows.w.steps[0], too`,
    ],
    [
      'a template names nothing',
      [echo('{{topic}}')],
      `workflows.w.steps[0].input.value: uses 'topic', but there is no 'topic' here; there are input, results`,
    ],
    ['a template is not closed', [echo('{{topic')], 'workflows.w.steps[0].input.value: has a'],
    ['no step comes before `result`', [echo('{{result}}')], 'no step comes before it'],
    [
      'a step reads one that comes later',
      [echo('{{steps.b.output}}'), echo(1, { name: 'b' })],
      `there is no 'steps.b' here`,
    ],
    [
      'a step reads one of another branch',
      [{ type: 'parallel', steps: [echo(1, { name: 'a' }), echo('{{steps.a.output}}')] }],
      `workflows.w.steps[0].steps[1].input.value: uses 'steps.a.output'`,
    ],
    [
      'a step reads within another',
      [{ type: 'sequence', steps: [echo(1, { name: 'a' })] }, echo('{{steps.a.output}}')],
      `there is no 'steps.a' here`,
    ],
    [
      'a path leaves out what a step gave',
      [echo(1, { name: 'a' }), echo('{{steps.a}}')],
      'what a step gave is steps.NAME.output',
    ],
    [
      'a condition is none',
      [{ type: 'if', condition: { equal: [1, 1] }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition: is no condition',
    ],
    [
      'a condition has the wrong number of operands',
      [{ type: 'if', condition: { not: { equals: [1] } }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition.not.equals: must be a list of 2',
    ],
    [
      'a condition names nothing',
      [{ type: 'if', condition: { and: [true, { variable: 'x' }] }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition.and[1].variable: uses',
    ],
    [
      'a pattern is none',
      [{ type: 'if', condition: { matches: ['a', '('] }, steps: [echo(1)] }],
      'workflows.w.steps[0].condition.matches[1]: is no RE2 pattern',
    ],
    [
      'a pattern could take for ever',
      [{ type: 'if', condition: { matches: ['a', '(a)\\1'] }, steps: [echo(1)] }],
      'is no RE2 pattern',
    ],
    [
      'a list is no path',
      [{ type: 'map', over: 'items', steps: [echo(1)] }],
      `workflows.w.steps[0].over: uses 'items'`,
    ],
    [
      'two maps call their items alike',
      [echo([]), { type: 'map', over: 'result', steps: [{ type: 'map', over: 'item', steps: [echo(1)] }] }],
      `.steps[0].as: 'item' means something else here`,
    ],
    [
      'a map gives its items a name of the run',
      [echo([]), { type: 'map', over: 'result', as: 'result', steps: [echo(1)] }],
      `workflows.w.steps[1].as: 'result' is a name`,
    ],
    ['a loop has no end', [{ type: 'repeat', steps: [echo(1)], until: false }], 'workflows.w.steps[0].maxTimes'],
    ['nobody could decide', [{ type: 'approval', prompt: 'p', roles: [] }], 'workflows.w.steps[0].roles: names nobody'],
    [
      'a way can never be taken',
      [{ type: 'approval', prompt: 'p', onTimeout: [echo(1)] }],
      'workflows.w.steps[0].onTimeout: never comes',
    ],
    [
      'a policy is none',
      [{ ...echo(1), onFailure: 'retry' }],
      `workflows.w.steps[0].onFailure: must be 'fail', 'continue'`,
    ],
    [
      'a policy has a wrong step',
      [{ ...echo(1), onFailure: { run: [{ type: 'tool' }] } }],
      'workflows.w.steps[0].onFailure.run[0].tool',
    ],
    [
      'a rescue reads what is not there',
      [{ ...echo(1), onFailure: { run: [echo('{{nothing}}')] } }],
      'workflows.w.steps[0].onFailure.run[0].input.value',
    ],
    ['a step names a tool of the workflow itself', [{ type: 'tool', tool: 'step_end' }], `there is no tool 'step_end'`],
  ])('%s', (_, steps, message) => {
    expect(ofSteps(steps)).toContain(message)
  })

  it('an input is used by no step, or has a name every run has', () => {
    expect(ofSteps([echo(1)], { inputs: { unused: {} } })).toBe('workflows.w.inputs.unused: is used by no step')
    expect(ofSteps([echo(1)], { inputs: { result: {} } })).toContain('workflows.w.inputs.result: is a name')
    expect(ofSteps([echo(1)], { inputs: { agent_id: {} } })).toContain('workflows.w.inputs.agent_id: is a name')
    const used = {
      type: 'map',
      over: 'a',
      steps: [echo(1), { type: 'if', condition: { variable: 'b' }, steps: [echo('{{c}}')] }],
    }
    expect(ofSteps([used], { inputs: { a: {}, b: {}, c: {} } })).toBe('accepted')
  })

  it('workflows are part of each other, or get inputs they do not have', () => {
    const workflow = (name: string, inner: string) => ({
      name,
      steps: [{ type: 'workflow' as const, workflow: inner }],
    })
    const options = { ...parts, workflows: [workflow('a', 'b'), workflow('b', 'a')] }
    expect(refusal(workflow('w', 'a'), options)).toBe('workflows.a: is part of itself: w → a → b → a')
    const inner = { name: 'i', inputs: { x: {} }, steps: [echo('{{x}}')] }
    const given = (inputs: object) =>
      ofSteps([{ type: 'workflow', workflow: 'i', inputs }], {}, { ...parts, workflows: [inner] })
    expect(given({ x: 1, y: 2 })).toBe(`workflows.w.steps[0].inputs.y: is no input of 'i'`)
    expect(given({})).toBe(`workflows.w.steps[0].inputs: 'i' needs a value for 'x'`)
    expect(given({ x: 1 })).toBe('accepted')
  })

  it('two of what it may name have one name', () => {
    const twice = (kind: 'agents' | 'tools' | 'workflows') =>
      ofSteps([echo(1)], {}, { ...parts, [kind]: [...doubles[kind], ...doubles[kind]] })
    const doubles = { agents: parts.agents, tools: parts.tools, workflows: [{ name: 'i', steps: [echo(1)] }] }
    expect(twice('agents')).toBe(`agents: two of them are named 'shouter'`)
    expect(twice('tools')).toBe(`tools: two of them are named 'echo'`)
    expect(twice('workflows')).toBe(`workflows: two of them are named 'i'`)
  })

  it('it unfolds to more than anybody can mean', () => {
    const twice = (name: string, inner: string) => ({
      name,
      steps: [1, 2].map((): Step => ({ type: 'workflow', workflow: inner })),
    })
    const workflows = Array.from({ length: 20 }, (_, n) => twice(`w${n}`, `w${n + 1}`))
    expect(
      refusal(twice('w', 'w0'), { ...parts, workflows: [...workflows, { name: 'w20', steps: [echo(1)] }] }),
    ).toContain('more than 10000')
  })

  it('an output schema is for an agent that is known by its name alone', () => {
    const step = { type: 'agent', agent: 'far', prompt: 'p', output: { type: 'object' } }
    expect(ofSteps([step], {}, { agents: ['far'] })).toContain(`needs the agent 'far' itself`)
  })
})

it('a tool that a source may bring is known when the run begins', () => {
  const source = { name: 's', tools: () => Promise.resolve([]), [Symbol.asyncDispose]: () => Promise.resolve() }
  expect(ofSteps([{ type: 'tool', tool: 'later' }], {}, { tools: [source] })).toBe('accepted')
})

it('a definition that went through JSON means the same', () => {
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

it('a tool of the name of one workflows are made of is refused', () => {
  const own = defineTool({ name: 'step_end', description: 'd', input: { type: 'object' }, execute: () => 1 })
  expect(ofSteps([{ type: 'tool', tool: 'step_end' }], {}, { tools: [own] })).toContain(
    'is a tool workflows are made of',
  )
})

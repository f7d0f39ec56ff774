import type { Json } from '@parley/core'
import fc from 'fast-check'
import type { Step } from '../index.ts'

const branches = { maxLength: 3, size: 'xsmall' } as const

/** Trees of all types of steps. They follow a first step named `list`, whose output is a list. */
const shape = fc.letrec<{ step: Step; steps: Step[] }>(tie => {
  const policy = fc.constantFrom(undefined, undefined, undefined, 'continue' as const)
  return {
    steps: fc.array(tie('step'), { minLength: 1, ...branches }),
    step: fc.oneof(
      { depthSize: 'xsmall', withCrossShrink: true },
      fc
        .tuple(fc.constantFrom('echo', 'work', 'fail'), fc.constantFrom<Json>(1, 'x', '{{result}}', ['{{results}}', '{{result}}']))
        .map(([tool, value]): Step => ({ type: 'tool', tool, input: { value } })),
      fc.constantFrom<Step>(
        { type: 'approval', prompt: '{{result}}?' },
        { type: 'approval', prompt: 'no?', onRejected: [{ type: 'tool', tool: 'echo', input: { value: '{{reason}}' } }] },
        { type: 'approval', prompt: 'no?' },
        { type: 'agent', agent: 'shouter', prompt: 'p {{result}}' },
      ),
      fc.record({ type: fc.constant('sequence' as const), steps: tie('steps'), onFailure: policy }),
      fc.record({ type: fc.constant('parallel' as const), steps: fc.array(tie('step'), branches), onFailure: policy }),
      fc.record({ type: fc.constant('if' as const), condition: fc.boolean(), steps: tie('steps'), else: tie('steps') }),
      fc.record({
        type: fc.constant('map' as const),
        over: fc.constant('steps.list.output'),
        steps: tie('steps'),
        reduce: fc.constantFrom('collect' as const, 'first' as const, 'majority' as const),
      }),
      fc
        .tuple(tie('steps'), fc.integer({ min: 1, max: 2 }), fc.boolean())
        .map(([steps, maxTimes, until]): Step => ({ type: 'repeat', steps, maxTimes, until })),
      fc
        .tuple(tie('step'), tie('steps'))
        .filter(([step]) => step.onFailure === undefined)
        .map(([step, run]): Step => ({ ...step, onFailure: { run } })),
    ),
  }
})

export const stepTree: fc.Arbitrary<Step[]> = shape.steps.map(steps => [
  { type: 'tool', tool: 'echo', name: 'list', input: { value: [1, 2, 3] } },
  ...withOwnItems(steps, { count: 0 }),
])

/** Gives the items of each map a unique name. */
function withOwnItems(steps: readonly Step[], used: { count: number }): Step[] {
  const own = (list: readonly Step[]): Step[] => withOwnItems(list, used)
  return steps.map((given): Step => {
    const { onFailure } = given
    const step = typeof onFailure === 'object' ? { ...given, onFailure: { run: own(onFailure.run) } } : given
    switch (step.type) {
      case 'sequence':
      case 'parallel':
      case 'repeat':
        return { ...step, steps: own(step.steps) }
      case 'if':
        return { ...step, steps: own(step.steps), else: own(step.else ?? []) }
      case 'map':
        return { ...step, as: `item${++used.count}`, steps: own(step.steps) }
      case 'agent':
      case 'tool':
      case 'approval':
      case 'workflow':
        return step
    }
  })
}

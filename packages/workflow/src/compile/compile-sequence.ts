import type { Json } from '@parley/core'
import type { FailurePolicy, Step } from '../definition/step.ts'
import { compileData } from '../template/compile-template.ts'
import { below, seeing, type Binding, type Site } from '../template/site.ts'
import type { Context } from './context.ts'
import type { PolicyPlan, SequenceItem, SequencePlan } from './plan.ts'
import { rescueId, stepId } from './step-id.ts'

export interface Sequence {
  readonly steps: readonly Step[]
  readonly output?: Json | undefined
  readonly segment: string
  /** The field that contains the steps. @default 'steps' */
  readonly field?: string | undefined
}

/** Compiles steps in order. Each step can use the outputs of the steps before it. */
export function compileSequence(
  { steps, output, segment, field = 'steps' }: Sequence,
  site: Site,
  context: Context,
): SequencePlan {
  const results: Binding = { key: 'results' }
  let current = seeing(site, [results])
  const items = steps.map((step, index): SequenceItem => {
    const here = below(current, `.${field}[${index}]`)
    const own = step.name ?? `${index}`
    const inner = { ...context, place: stepId(context.place, own) }
    const plan = context.compilation.compileStep(step, { segment: own, site: here }, inner)
    const policy = compilePolicy(step.onFailure ?? context.policy, here, inner)
    const key = step.name === undefined ? undefined : `steps.${step.name}`
    current = seeing(current, [{ key: 'result' }, ...(key === undefined ? [] : [{ key }])])
    return { plan, policy, key }
  })
  const outputOf = output === undefined ? undefined : compileData(output, below(current, '.output'))
  return { type: 'sequence', segment, steps: items, output: outputOf, keepsResults: site.uses.has(results) }
}

/** Compiles the failure policy of the step in `context`. Its steps can use the error text as `reason`. */
export function compilePolicy(policy: FailurePolicy, site: Site, context: Context): PolicyPlan {
  if (typeof policy === 'string') return policy
  const inner: Context = { ...context, place: rescueId(context.place), policy: 'fail' }
  const seen = seeing(below(site, '.onFailure'), [{ key: 'reason' }])
  return compileSequence({ steps: policy.run, segment: '', field: 'run' }, seen, inner)
}

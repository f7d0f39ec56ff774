import { innerSteps } from '../definition/inner-steps.ts'
import type { Step } from '../definition/step.ts'
import { below, type Binding } from '../template/site.ts'
import { compilePolicy, compileSequence } from './compile-sequence.ts'
import type { Context, Spot } from './context.ts'
import { STEP_TOOLS, type CallPlan, type Plan } from './plan.ts'
import { STEP_LIMITS } from './run-limits.ts'
import type { StepRun } from './step-run.ts'

/** Steps that run concurrently with other branches. */
export interface Branch {
  readonly steps: readonly Step[]
  /** Path of its only step, relative to the `spot.site` of `compileBranch`. */
  readonly field: string
}

/**
 * Compiles a branch to exactly one call. A branch that needs several calls becomes a child run, which receives only the values that
 * it uses.
 */
export function compileBranch(branch: Branch, spot: Spot, context: Context): CallPlan {
  const { compilation, depth, place } = context
  const { steps, field } = branch
  const { segment, site } = spot
  const [first, ...others] = steps
  if (first !== undefined && others.length === 0 && isOneCall(first)) {
    const plan = compilation.compileStep(first, { segment, site: below(site, field) }, context)
    if (plan.type === 'call') return plan
  }
  const uses = new Set<Binding>()
  const inner = { ...context, depth: depth + 1 }
  const body = compileBody(branch, { segment, site: { ...site, uses } }, inner)
  const outside = [...uses].filter(binding => site.visible.get(binding.key) === binding)
  for (const binding of outside) site.uses.add(binding)
  compilation.runs.set(place, { place, ...body, depth: inner.depth, limits: STEP_LIMITS })
  return {
    type: 'call',
    segment,
    tool: STEP_TOOLS.run,
    input: scope => ({ scope: Object.fromEntries(outside.map(({ key }) => [key, scope.get(key) ?? null])) }),
  }
}

function isOneCall(step: Step): boolean {
  return (step.onFailure ?? 'fail') === 'fail' && innerSteps(step).length === 0
}

function compileBody(
  { steps, field }: Branch,
  { segment, site }: Spot,
  context: Context,
): Pick<StepRun, 'plan' | 'policy'> {
  const [only, ...others] = steps
  if (only === undefined || others.length > 0) {
    return { plan: compileSequence({ steps, segment }, site, context), policy: 'fail' }
  }
  const here = below(site, field)
  const plan: Plan = context.compilation.compileStep(only, { segment, site: here }, context)
  return { plan, policy: compilePolicy(only.onFailure ?? 'fail', here, context) }
}

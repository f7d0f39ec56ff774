import type { ConditionStep, Step } from '../definition/step.ts'
import { compileExpression } from '../expression/compile-expression.ts'
import { below } from '../template/site.ts'
import { compileSequence } from './compile-sequence.ts'
import type { Context, Spot } from './context.ts'
import type { ConditionPlan } from './plan.ts'
import { stepId } from './step-id.ts'

/** Compiles an `if` step: its condition, the steps that run if it holds, and those of `else`. */
export function compileCondition(step: ConditionStep, { segment, site }: Spot, context: Context): ConditionPlan {
  const way = (field: 'steps' | 'else', own: 'then' | 'else', steps: readonly Step[]) =>
    compileSequence({ steps, segment: own, field }, site, { ...context, place: stepId(context.place, own) })
  return {
    type: 'if',
    segment,
    condition: compileExpression(step.condition, below(site, '.condition')),
    steps: way('steps', 'then', step.steps),
    otherwise: step.else === undefined ? undefined : way('else', 'else', step.else),
  }
}

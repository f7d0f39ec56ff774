import type { Json } from '@parley/core'
import type { StepFailure } from '../definition/workflow.ts'
import { isTrue } from '../expression/compile-expression.ts'
import { bind, type Scope } from '../template/scope.ts'
import type { CallPlan, Plan, PolicyPlan, RepeatPlan, SequencePlan } from '../compile/plan.ts'
import { rescueId, roundId, stepId } from '../compile/step-id.ts'
import { done, failed, type Walk, type WalkOutcome } from './call-outcome.ts'
import { walkMap, walkParallel } from './walk-branches.ts'

/**
 * Walks through a plan as far as there are results. The function is pure: the same results lead to the same calls in every process.
 */
export function walkPlan(plan: Plan, at: { readonly id: string; readonly scope: Scope }, walk: Walk): WalkOutcome {
  const { id, scope } = at
  switch (plan.type) {
    case 'call':
      return walkCall(plan, at, walk)
    case 'sequence':
      return walkSequence(plan, at, walk)
    case 'parallel':
      return walkParallel(plan, at, walk)
    case 'map':
      return walkMap(plan, at, walk)
    case 'if': {
      const way = isTrue(plan.condition(scope)) ? plan.steps : plan.otherwise
      return way === undefined ? done(null) : walkSequence(way, { id: stepId(id, way.segment), scope }, walk)
    }
    case 'repeat':
      return walkRepeat(plan, at, walk)
  }
}

/** Applies the failure policy of a failed step. */
export function applyPolicy(
  policy: PolicyPlan,
  at: { readonly id: string; readonly scope: Scope; readonly failure: StepFailure },
  walk: Walk,
): WalkOutcome {
  const { id, scope, failure } = at
  if (policy === 'fail') return { type: 'failed', failure }
  walk.failures.push(failure)
  if (policy === 'continue') return done(null)
  return walkSequence(policy, { id: rescueId(id), scope: bind(scope, 'reason', failure.detail) }, walk)
}

interface Position {
  readonly id: string
  readonly scope: Scope
}

function walkSequence({ steps, output, keepsResults }: SequencePlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const results: Json[] = []
  let current = scope
  if (keepsResults) current = bind(current, 'results', results)
  let result: Json = null
  for (const { plan, policy, key } of steps) {
    const at = { id: stepId(id, plan.segment), scope: current }
    let outcome = walkPlan(plan, at, walk)
    if (outcome.type === 'failed') outcome = applyPolicy(policy, { ...at, failure: outcome.failure }, walk)
    if (outcome.type !== 'done') return outcome
    result = outcome.value
    results.push(result)
    current = bind(current, 'result', result)
    if (key !== undefined) current = bind(current, key, result)
  }
  return done(output === undefined ? result : output(current))
}

function walkCall(plan: CallPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const outcome = walk.outcomeOf(id)
  if (outcome === undefined) {
    return { type: 'pending', calls: [{ step: id, tool: plan.tool, input: plan.input(scope) }] }
  }
  if (outcome.type === 'ok') {
    walk.failures.push(...outcome.failures)
    return done(outcome.value)
  }
  const { decision, failure } = outcome
  const way = decision === 'timed-out' ? plan.onTimeout : decision === 'rejected' ? plan.onRejected : undefined
  if (way === undefined) return { type: 'failed', failure }
  return walkSequence(way, { id: stepId(id, way.segment), scope: bind(scope, 'reason', failure.detail) }, walk)
}

function walkRepeat({ body, until, maxTimes }: RepeatPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  let current = bind(scope, 'result', scope.get('result') ?? null)
  for (let round = 0; round < maxTimes; round++) {
    const outcome = walkSequence(body, { id: roundId(id, round), scope: current }, walk)
    if (outcome.type !== 'done') return outcome
    current = bind(scope, 'result', outcome.value)
    if (isTrue(until(current))) return outcome
  }
  return failed(id, 'limit-reached', `the condition was not true after ${maxTimes} rounds`)
}

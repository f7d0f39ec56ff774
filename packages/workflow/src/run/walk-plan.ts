import type { Json } from '@parley/core'
import { isTrue } from '../expression/compile-expression.ts'
import { bind, layer, type Scope } from '../template/scope.ts'
import type { CallPlan, Plan, PolicyPlan, RepeatPlan, SequencePlan } from '../compile/plan.ts'
import { rescueId, roundId, stepId } from '../compile/step-id.ts'
import { after, done, failed, failedBy, type Walk, type WalkOutcome } from './call-outcome.ts'
import { walkMap, walkParallel } from './walk-branches.ts'

/**
 * Walks through a plan as far as there are results. The same results lead to the same calls in every process: the places that a walk
 * keeps only spare the next walk the steps that are done.
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
  at: Position & Pick<WalkOutcomeOf<'failed'>, 'failure' | 'noted'>,
  walk: Walk,
): WalkOutcome {
  const { id, scope, failure, noted } = at
  if (policy === 'fail') return failedBy(failure, noted)
  if (policy === 'continue') return done(null, [...noted, failure])
  const rescued = walkSequence(policy, { id: rescueId(id), scope: bind(scope, 'reason', failure.detail) }, walk)
  return after([...noted, failure], rescued)
}

interface Position {
  readonly id: string
  readonly scope: Scope
}

type WalkOutcomeOf<TType extends WalkOutcome['type']> = Extract<WalkOutcome, { type: TType }>

function walkSequence({ steps, output, keepsResults }: SequencePlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const place = walk.places.sequences.get(id) ?? { next: 0, values: new Map<string, Json>(), results: [], noted: [] }
  walk.places.sequences.set(id, place)
  const { values, results, noted } = place
  if (keepsResults) values.set('results', results)
  const current = layer(scope, values)
  for (let item = steps[place.next]; item !== undefined; item = steps[place.next]) {
    const { plan, policy, key } = item
    const at = { id: stepId(id, plan.segment), scope: current }
    let outcome = walkPlan(plan, at, walk)
    if (outcome.type === 'failed') outcome = applyPolicy(policy, { ...at, ...outcome }, walk)
    if (outcome.type !== 'done') return after(noted, outcome)
    const { value } = outcome
    place.next++
    for (const failure of outcome.noted) noted.push(failure)
    if (keepsResults) results.push(value)
    values.set('result', value)
    if (key !== undefined) values.set(key, value)
  }
  walk.places.sequences.delete(id)
  return done(output === undefined ? (values.get('result') ?? null) : output(current), noted)
}

function walkCall(plan: CallPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const outcome = walk.outcomeOf(id)
  if (outcome === undefined) {
    return { type: 'pending', calls: [{ step: id, tool: plan.tool, input: plan.input(scope) }] }
  }
  if (outcome.type === 'ok') return done(outcome.value, outcome.failures)
  const { decision, failure } = outcome
  const way = decision === 'timed-out' ? plan.onTimeout : decision === 'rejected' ? plan.onRejected : undefined
  if (way === undefined) return failedBy(failure)
  return walkSequence(way, { id: stepId(id, way.segment), scope: bind(scope, 'reason', failure.detail) }, walk)
}

function walkRepeat({ body, until, maxTimes }: RepeatPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const place = walk.places.repeats.get(id) ?? { round: 0, result: scope.get('result') ?? null, noted: [] }
  walk.places.repeats.set(id, place)
  while (place.round < maxTimes) {
    const at = { id: roundId(id, place.round), scope: bind(scope, 'result', place.result) }
    const outcome = walkSequence(body, at, walk)
    if (outcome.type !== 'done') return after(place.noted, outcome)
    place.round++
    place.result = outcome.value
    for (const failure of outcome.noted) place.noted.push(failure)
    if (!isTrue(until(bind(scope, 'result', place.result)))) continue
    walk.places.repeats.delete(id)
    return done(place.result, place.noted)
  }
  return after(place.noted, failed(id, 'limit-reached', `the condition was not true after ${maxTimes} rounds`))
}

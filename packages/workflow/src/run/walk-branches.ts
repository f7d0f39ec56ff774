import type { Json } from '@parley/core'
import type { CallPlan, MapPlan, ParallelPlan } from '../compile/plan.ts'
import { itemId, stepId } from '../compile/step-id.ts'
import type { StepFailure } from '../definition/workflow.ts'
import { canonicalText } from '../template/json.ts'
import { bind, type Scope } from '../template/scope.ts'
import { done, failed, type StepCall, type Walk, type WalkOutcome } from './call-outcome.ts'

/** Maximum number of calls in one answer. Larger batches make transcripts slow to read; smaller ones wait more often. */
const MOST_CALLS = 256

interface Position {
  readonly id: string
  readonly scope: Scope
}

/** One of several concurrent calls. */
interface Lane {
  readonly id: string
  readonly plan: CallPlan
  readonly scope: () => Scope
}

export function walkParallel({ branches, tolerant }: ParallelPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const lanes = branches.map((plan): Lane => ({ id: stepId(id, plan.segment), plan, scope: () => scope }))
  return walkLanes(lanes, { id, tolerant }, walk)
}

export function walkMap(plan: MapPlan, at: Position, walk: Walk): WalkOutcome {
  const { over, list, as, body, reduce, tolerant } = plan
  const items = over(at.scope)
  if (!Array.isArray(items)) return failed(at.id, 'step-failed', `'${list}' must be a list`)
  const lanes = items.map((item, index): Lane => ({
    id: itemId(at.id, index),
    plan: body,
    scope: () => bind(bind(at.scope, as, item), 'index', index),
  }))
  if (reduce === 'first') return walkToFirst(lanes, at.id, walk)
  const outcome = walkLanes(lanes, { id: at.id, tolerant }, walk)
  if (outcome.type !== 'done' || reduce === 'collect') return outcome
  const voters = lanes.filter(lane => walk.outcomeOf(lane.id)?.type === 'ok')
  return done(majorityOf(voters.map(lane => valueOf(lane, walk))))
}

/** Runs all lanes. The first failure ends the walk, unless the step continues after failures. */
function walkLanes(
  lanes: readonly Lane[],
  { id, tolerant }: { readonly id: string; readonly tolerant: boolean },
  walk: Walk,
): WalkOutcome {
  const values: Json[] = []
  const noted: StepFailure[] = []
  const failures: StepFailure[] = []
  const calls: StepCall[] = []
  for (const lane of lanes) {
    const outcome = walk.outcomeOf(lane.id)
    if (outcome === undefined) {
      if (calls.length < MOST_CALLS) calls.push(toCall(lane))
      continue
    }
    if (outcome.type === 'failed') failures.push(outcome.failure)
    noted.push(...(outcome.type === 'failed' ? [outcome.failure] : outcome.failures))
    values.push(outcome.type === 'ok' ? outcome.value : null)
  }
  const cause = failures.find(({ code }) => code !== 'tool-cancelled') ?? failures[0]
  if (cause !== undefined && !tolerant) return { type: 'failed', failure: cause }
  if (calls.length > 0) return { type: 'pending', calls }
  walk.failures.push(...noted)
  if (cause === undefined || failures.length < lanes.length) return done(values)
  return failed(id, cause.code, `all ${lanes.length} branches failed, the first with: ${cause.detail}`)
}

/** Runs the lanes in order, up to the limit at a time, until one succeeds. */
function walkToFirst(lanes: readonly Lane[], id: string, walk: Walk): WalkOutcome {
  const failures: StepFailure[] = []
  for (const [index, lane] of lanes.entries()) {
    const outcome = walk.outcomeOf(lane.id)
    if (outcome === undefined) {
      const open = lanes.slice(index).filter(each => walk.outcomeOf(each.id) === undefined)
      return { type: 'pending', calls: open.slice(0, Math.min(walk.limit, MOST_CALLS)).map(toCall) }
    }
    if (outcome.type === 'ok') {
      walk.failures.push(...outcome.failures)
      return done(outcome.value)
    }
    failures.push(outcome.failure)
  }
  const [cause] = failures
  if (cause === undefined) return failed(id, 'step-failed', 'the list is empty, so no item can be the first')
  return failed(id, cause.code, `all ${lanes.length} branches failed, the first with: ${cause.detail}`)
}

function toCall({ id, plan, scope }: Lane): StepCall {
  return { step: id, tool: plan.tool, input: plan.input(scope()) }
}

function valueOf({ id }: Lane, walk: Walk): Json {
  const outcome = walk.outcomeOf(id)
  return outcome?.type === 'ok' ? outcome.value : null
}

/** Returns the most frequent value. If several are equally frequent, returns the earliest. */
function majorityOf(values: readonly Json[]): Json {
  const votes = new Map<string, { readonly value: Json; count: number }>()
  for (const value of values) {
    const text = canonicalText(value)
    const vote = votes.get(text)
    if (vote === undefined) votes.set(text, { value, count: 1 })
    else vote.count++
  }
  let best: { readonly value: Json; readonly count: number } = { value: null, count: 0 }
  for (const vote of votes.values()) if (vote.count > best.count) best = vote
  return best.value
}

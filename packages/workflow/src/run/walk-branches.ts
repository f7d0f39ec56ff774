import type { Json } from '@parley/core'
import type { CallPlan, MapPlan, ParallelPlan } from '../compile/plan.ts'
import { itemId, stepId } from '../compile/step-id.ts'
import type { StepFailure } from '../definition/workflow.ts'
import { canonicalText } from '../template/json.ts'
import { layer, type Scope } from '../template/scope.ts'
import {
  done,
  failed,
  failedBy,
  type CallOutcome,
  type LanesPlace,
  type StepCall,
  type Walk,
  type WalkOutcome,
} from './call-outcome.ts'

/** Maximum number of calls in one answer. Larger batches make transcripts slow to read; smaller ones wait more often. */
const MOST_CALLS = 256

interface Position {
  readonly id: string
  readonly scope: Scope
}

/** Concurrent calls. */
interface Lanes {
  readonly id: string
  readonly count: number
  readonly tolerant: boolean
  readonly idOf: (index: number) => string
  readonly callOf: (index: number) => StepCall
}

export function walkParallel({ branches, tolerant }: ParallelPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const idOf = (index: number): string => stepId(id, branches[index]?.segment ?? '')
  const callOf = (index: number): StepCall => {
    const { tool, input } = branches[index] as CallPlan
    return { step: idOf(index), tool, input: input(scope) }
  }
  return walkLanes({ id, count: branches.length, tolerant, idOf, callOf }, walk)
}

export function walkMap(plan: MapPlan, { id, scope }: Position, walk: Walk): WalkOutcome {
  const { over, list, as, body, reduce, tolerant } = plan
  const items = over(scope)
  if (!Array.isArray(items)) return failed(id, 'step-failed', `'${list}' must be a list`)
  const idOf = (index: number): string => itemId(id, index)
  const callOf = (index: number): StepCall => {
    const values = new Map<string, Json>([
      [as, items[index] as Json],
      ['index', index],
    ])
    return { step: idOf(index), tool: body.tool, input: body.input(layer(scope, values)) }
  }
  const lanes = { id, count: items.length, tolerant, idOf, callOf }
  if (reduce === 'first') return walkToFirst(lanes, walk)
  const outcome = walkLanes(lanes, walk)
  if (outcome.type !== 'done' || reduce === 'collect') return outcome
  const votes = Array.from(items, (_item, index) => walk.outcomeOf(idOf(index)))
  return done(majorityOf(votes.flatMap(vote => (vote?.type === 'ok' ? [vote.value] : []))), outcome.noted)
}

/** Runs all lanes. The first failure ends the walk, unless the step continues after failures. */
function walkLanes({ id, count, tolerant, idOf, callOf }: Lanes, walk: Walk): WalkOutcome {
  const { lanes } = walk.places
  const place = lanes.get(id) ?? { values: [], noted: [], failures: [] }
  lanes.set(id, place)
  const { values, noted, failures } = place
  const calls: StepCall[] = []
  // All calls of an answer have results before the next answer, so no lane after an open one has ended.
  for (let index = values.length; index < count && calls.length < MOST_CALLS; index++) {
    const outcome = walk.outcomeOf(idOf(index))
    if (outcome === undefined) calls.push(callOf(index))
    else if (calls.length === 0) addOutcome(place, outcome)
  }
  const cause = failures.find(({ code }) => code !== 'tool-cancelled') ?? failures[0]
  if (cause !== undefined && !tolerant) return failedBy(cause)
  if (calls.length > 0) return { type: 'pending', calls }
  lanes.delete(id)
  if (cause === undefined || failures.length < count) return done(values, noted)
  return failedBy({ step: id, code: cause.code, detail: allFailed(count, cause) }, noted)
}

function addOutcome({ values, noted, failures }: LanesPlace, outcome: CallOutcome): void {
  if (outcome.type === 'failed') failures.push(outcome.failure)
  for (const failure of outcome.type === 'failed' ? [outcome.failure] : outcome.failures) noted.push(failure)
  values.push(outcome.type === 'ok' ? outcome.value : null)
}

/** Runs the lanes in order, up to the limit at a time, until one succeeds. */
function walkToFirst({ id, count, idOf, callOf }: Lanes, walk: Walk): WalkOutcome {
  const most = Math.min(walk.limit, MOST_CALLS)
  const calls: StepCall[] = []
  let cause: StepFailure | undefined
  for (let index = 0; index < count && calls.length < most; index++) {
    const outcome = walk.outcomeOf(idOf(index))
    if (outcome?.type === 'ok' && calls.length === 0) return done(outcome.value, outcome.failures)
    if (outcome === undefined) calls.push(callOf(index))
    else if (outcome.type === 'failed' && calls.length === 0) cause ??= outcome.failure
  }
  if (calls.length > 0) return { type: 'pending', calls }
  if (cause === undefined) return failed(id, 'step-failed', 'the list is empty, so no item can be the first')
  return failed(id, cause.code, allFailed(count, cause))
}

function allFailed(count: number, { detail }: StepFailure): string {
  return `all ${count} branches failed, the first with: ${detail}`
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

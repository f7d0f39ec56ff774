import type { RecordedCall } from '../cassette.ts'
import { fieldsOf, withFieldsOf, type ComparableRequest } from './comparable-request.ts'
import { describeDifferences } from './describe-differences.ts'
import { diffJson, type Difference } from './diff-json.ts'

/** A recorded call and its request in comparable form. */
export interface Candidate {
  readonly call: RecordedCall
  readonly request: ComparableRequest
  readonly used: boolean
}

/** A request for which a cassette has no answer. */
export interface Miss {
  readonly file: string
  readonly model: string
  readonly asked: ComparableRequest
  /** The recorded calls of this model. */
  readonly candidates: readonly Candidate[]
  /** The models that the cassette has calls of. */
  readonly models: readonly string[]
}

/** Explains a miss: what the most similar recorded request has instead. */
export function describeMiss({ file, model, asked, candidates, models }: Miss): string {
  const where = `The cassette ${file}`
  const [first, ...others] = candidates
  if (first === undefined)
    return `${where} has no calls of ${model}; it has calls of ${models.join(', ') || 'no model'}.`
  const equal = candidates.filter(({ request }) => diffIn(request, asked).length === 0)
  if (equal.length > 0) {
    const numbers = equal.map(({ call }) => call.call).join(', ')
    return `${where} has this request ${equal.length === 1 ? 'once' : `${equal.length} times`} (call ${numbers}), and it is asked once more.`
  }
  const unused = candidates.filter(({ used }) => !used)
  const [nearest, ...rest] = unused.length > 0 ? unused : [first, ...others]
  const start = { candidate: nearest ?? first, differences: diffIn((nearest ?? first).request, asked) }
  const best = rest.reduce((found, candidate) => {
    const differences = diffIn(candidate.request, asked)
    return weigh(differences) < weigh(found.differences) ? { candidate, differences } : found
  }, start)
  const { call } = best.candidate.call
  const state = unused.length > 0 ? '' : ' (all calls are used)'
  return (
    `${where} has no such request${state}. The most similar one is call ${call}; recorded (-) and asked (+) differ in:\n` +
    describeDifferences(best.differences)
  )
}

/** The differences in the fields that were recorded. */
function diffIn(recorded: ComparableRequest, asked: ComparableRequest): readonly Difference[] {
  const comparable = fieldsOf(recorded) === fieldsOf(asked) ? asked : withFieldsOf(asked, recorded)
  return diffJson(recorded, comparable)
}

/** A missing message counts more than a changed word. */
function weigh(differences: readonly Difference[]): number {
  return differences.reduce((sum, { before, after }) => sum + (before === undefined || after === undefined ? 3 : 1), 0)
}

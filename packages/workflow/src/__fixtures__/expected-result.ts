import type { Json } from '@parley/core'
import type { FailurePolicy, Step } from '../index.ts'

interface Values {
  readonly result: Json
  readonly results: readonly Json[]
}

/** Computes the result of a tree of steps with the policy `continue`, without a run. */
export function expectedResult(
  steps: readonly Step[],
): { readonly result: Json; readonly failures: number } | 'failed' {
  const count = { failures: 0 }
  try {
    const result = sequence(steps, { result: null, results: [] }, { policy: 'continue', count })
    return { result, failures: count.failures }
  } catch (error) {
    if (error instanceof Failure) return 'failed'
    throw error
  }
}

class Failure extends Error {}

interface Way {
  readonly policy: FailurePolicy
  readonly count: { failures: number }
}

function sequence(steps: readonly Step[], { result: before }: Values, way: Way): Json {
  const results: Json[] = []
  let result = before
  for (const step of steps) {
    const values = { result, results: [...results] }
    result = rescued(step, step.onFailure ?? way.policy, { values, way })
    results.push(result)
  }
  return result
}

function rescued(step: Step, policy: FailurePolicy, { values, way }: { readonly values: Values; readonly way: Way }): Json {
  try {
    return outputOf(step, values, way)
  } catch (error) {
    if (!(error instanceof Failure) || policy === 'fail') throw error
    way.count.failures++
    return policy === 'continue' ? null : sequence(policy.run, values, { ...way, policy: 'fail' })
  }
}

function outputOf(step: Step, values: Values, way: Way): Json {
  switch (step.type) {
    case 'tool':
      if (step.tool === 'fail') throw new Failure()
      return fill(step.input?.['value'] ?? null, values)
    case 'agent':
      return `P ${text(values.result)}`.toUpperCase()
    case 'approval':
      if (step.prompt !== 'no?') return true
      if (step.onRejected === undefined) throw new Failure()
      return 'no.'
    case 'sequence':
      return sequence(step.steps, values, way)
    case 'if':
      return sequence((step.condition === true ? step.steps : step.else) ?? [], values, way)
    case 'repeat': {
      let result = values.result
      for (let round = 0; round < step.maxTimes; round++) {
        result = sequence(step.steps, { ...values, result }, way)
        if (step.until === true) return result
      }
      throw new Failure()
    }
    case 'parallel':
      return lanes(step, step.steps.map(branch => [branch]), { values, way })
    case 'map':
      return lanes(step, [1, 2, 3].map(() => step.steps), { values, way })
    case 'workflow':
      throw new Error('the trees contain no workflow steps')
  }
}

function lanes(
  step: Extract<Step, { type: 'parallel' | 'map' }>,
  all: readonly (readonly Step[])[],
  { values, way }: { readonly values: Values; readonly way: Way },
): Json {
  const policy = step.onFailure ?? way.policy
  const reduce = step.type === 'map' ? (step.reduce ?? 'collect') : 'collect'
  const tried = all.map(steps => {
    const own = { ...way, count: { failures: 0 } }
    try {
      return { value: branch(steps, values, own), failed: false, failures: own.count.failures }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { value: null, failed: true, failures: 1 }
    }
  })
  const fine = tried.filter(({ failed }) => !failed)
  if (reduce === 'first') {
    const [first] = fine
    if (first === undefined) throw new Failure()
    way.count.failures += first.failures
    return first.value
  }
  if (policy !== 'continue' && fine.length < tried.length) throw new Failure()
  for (const each of tried) way.count.failures += each.failures
  if (fine.length === 0 && tried.length > 0) throw new Failure()
  if (reduce === 'collect') return tried.map(({ value }) => value)
  // All branches of a map are equal, so their outputs are equal too.
  return fine[0]?.value ?? null
}

/** A branch with one step fails if that step fails. Several steps form a sequence. */
function branch(steps: readonly Step[], values: Values, way: Way): Json {
  const [only, ...others] = steps
  if (only === undefined || others.length > 0) return sequence(steps, values, way)
  return rescued(only, only.onFailure ?? 'fail', { values, way })
}

function fill(value: Json, values: Values): Json {
  if (Array.isArray(value)) return value.map(item => fill(item, values))
  if (value === '{{result}}') return values.result
  return value === '{{results}}' ? [...values.results] : value
}

function text(value: Json): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import { BUILT_IN_VARIABLES } from '@parley/engine'
import { innerSteps, type InnerSteps } from '../definition/inner-steps.ts'
import type { FailurePolicy, Step } from '../definition/step.ts'
import type { Workflow } from '../definition/workflow.ts'
import { refuse } from '../template/site.ts'

/** Names of values that every run has. */
const OWN_NAMES: readonly string[] = ['input', 'result', 'results', 'steps', 'index', 'reason']

/**
 * Checks that every name in a workflow has one meaning.
 * @throws ParleyError `config-invalid` at the second use of a name.
 */
export function checkNames({ inputs = {}, steps, onFailure }: Workflow, path: string): void {
  for (const input of Object.keys(inputs)) {
    if (OWN_NAMES.includes(input) || BUILT_IN_VARIABLES.some(name => name === input))
      refuse(`${path}.inputs.${input}`, 'is reserved: every run has a value of this name')
  }
  const seen = new Map<string, string>()
  visitAll([{ field: 'steps', steps }, ...failureSteps(onFailure)], path)

  function visitAll(lists: readonly InnerSteps[], place: string): void {
    for (const { field, steps: inner } of lists)
      inner.forEach((each, index) => visit(each, `${place}.${field}[${index}]`))
  }

  function visit(step: Step, place: string): void {
    if (step.name !== undefined) {
      const first = seen.get(step.name)
      if (first !== undefined) refuse(`${place}.name`, `'${step.name}' is already the name of ${first}`)
      seen.set(step.name, place)
    }
    if (step.type === 'map' && step.as !== undefined && OWN_NAMES.includes(step.as))
      refuse(`${place}.as`, `'${step.as}' is reserved: every run has a value of this name`)
    visitAll([...innerSteps(step), ...failureSteps(step.onFailure)], place)
  }
}

function failureSteps(policy: FailurePolicy | undefined): readonly InnerSteps[] {
  return typeof policy === 'object' ? [{ field: 'onFailure.run', steps: policy.run }] : []
}

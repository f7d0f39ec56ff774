import { BUILT_IN_VARIABLES } from '@parley/engine'
import type { FailurePolicy, Step } from '../definition/step.ts'
import type { Workflow } from '../definition/workflow.ts'
import { refuse } from '../template/site.ts'

/** What a run calls its own values. */
const OWN_NAMES: readonly string[] = ['input', 'result', 'results', 'steps', 'index', 'reason']

/**
 * Sees that every name in a workflow means one thing.
 * @throws ParleyError `config-invalid` naming the second use of a name.
 */
export function checkNames({ inputs = {}, steps, onFailure }: Workflow, path: string): void {
  for (const input of Object.keys(inputs)) {
    if (OWN_NAMES.includes(input) || BUILT_IN_VARIABLES.some(name => name === input))
      refuse(`${path}.inputs.${input}`, 'is a name every run has a value of its own for')
  }
  const seen = new Map<string, string>()
  const visit = (step: Step, place: string): void => {
    if (step.name !== undefined) {
      const first = seen.get(step.name)
      if (first !== undefined) refuse(`${place}.name`, `'${step.name}' is the name of ${first}, too`)
      seen.set(step.name, place)
    }
    if (step.type === 'map' && step.as !== undefined && OWN_NAMES.includes(step.as))
      refuse(`${place}.as`, `'${step.as}' is a name every run has a value of its own for`)
    for (const [field, list] of listsOf(step)) list.forEach((each, index) => visit(each, `${place}.${field}[${index}]`))
  }
  for (const [field, list] of [['steps', steps] as const, ...policyList(onFailure)])
    list.forEach((each, index) => visit(each, `${path}.${field}[${index}]`))
}

type NamedList = readonly [field: string, steps: readonly Step[]]

function listsOf(step: Step): readonly NamedList[] {
  return [...innerLists(step), ...policyList(step.onFailure)]
}

function innerLists(step: Step): readonly NamedList[] {
  switch (step.type) {
    case 'sequence':
    case 'parallel':
    case 'map':
    case 'repeat':
      return [['steps', step.steps]]
    case 'if':
      return [
        ['steps', step.steps],
        ['else', step.else ?? []],
      ]
    case 'approval':
      return [
        ['onRejected', step.onRejected ?? []],
        ['onTimeout', step.onTimeout ?? []],
      ]
    case 'agent':
    case 'tool':
    case 'workflow':
      return []
  }
}

function policyList(policy: FailurePolicy | undefined): readonly NamedList[] {
  return typeof policy === 'object' ? [['onFailure.run', policy.run]] : []
}

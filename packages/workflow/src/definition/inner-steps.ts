import type { Step } from './step.ts'

/** Steps inside a step, and the field that holds them. */
export interface InnerSteps {
  readonly field: string
  readonly steps: readonly Step[]
}

/** Returns the lists of steps that a step contains, without those of its `onFailure`. A step that is one call contains none. */
export function innerSteps(step: Step): readonly InnerSteps[] {
  switch (step.type) {
    case 'sequence':
    case 'parallel':
    case 'map':
    case 'repeat':
      return [{ field: 'steps', steps: step.steps }]
    case 'if':
      return [{ field: 'steps', steps: step.steps }, ...optional('else', step.else)]
    case 'approval':
      return [...optional('onRejected', step.onRejected), ...optional('onTimeout', step.onTimeout)]
    case 'agent':
    case 'tool':
    case 'workflow':
      return []
  }
}

function optional(field: string, steps: readonly Step[] | undefined): readonly InnerSteps[] {
  return steps === undefined ? [] : [{ field, steps }]
}

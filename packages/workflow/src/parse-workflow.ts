import type * as z from 'zod'
import { fromPar, isPar } from './par/from-par.ts'
import { isObject } from './template/json.ts'
import { refuse } from './template/site.ts'
import type { Workflow } from './definition/workflow.ts'
import { workflowSchema } from './definition/workflow-schema.ts'

/**
 * Reads a workflow from data, as `JSON.parse` gives it: ours, or a definition of the P-A-R SDK. Checks its form; whether its names
 * mean anything `defineWorkflow` sees.
 * @throws ParleyError `config-invalid` with the path of what is wrong.
 */
export function parseWorkflow(value: unknown): Workflow {
  const given = isPar(value) ? fromPar(value) : value
  const path = `workflows.${isObject(given) && typeof given['name'] === 'string' ? given['name'] : '(unnamed)'}`
  const parsed = workflowSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return issue === undefined ? refuse(path, 'is no workflow') : refuseIssue(issue, path)
}

function refuseIssue(issue: z.core.$ZodIssue, path: string): never {
  const place = issue.path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    path,
  )
  if (issue.code === 'unrecognized_keys') return refuse(`${place}.${issue.keys[0]}`, 'is no field here')
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    return refuse(place, `is no type of step: ${TYPES.join(', ')}`)
  }
  const inner = issue.code === 'invalid_union' ? deepest(issue.errors) : undefined
  if (inner !== undefined) return refuseIssue(inner, place)
  return refuse(place, issue.message)
}

const TYPES = ['agent', 'tool', 'sequence', 'parallel', 'if', 'map', 'repeat', 'approval', 'workflow']

/** Of the ways a value does not fit, the one that came furthest. */
function deepest(errors: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue | undefined {
  return errors.flat().find(({ path }) => path.length > 0)
}

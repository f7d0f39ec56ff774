import type * as z from 'zod'
import { fromPar, isPar } from './par/from-par.ts'
import { isObject } from './template/json.ts'
import { refuse } from './template/site.ts'
import type { Workflow } from './definition/workflow.ts'
import { workflowSchema } from './definition/workflow-schema.ts'

/**
 * Parses a workflow from JSON data: a Parley workflow, or a definition of the P-A-R SDK. It checks the form only; `defineWorkflow`
 * checks the names.
 * @throws ParleyError `config-invalid` with the path of the problem.
 */
export function parseWorkflow(value: unknown): Workflow {
  const given = isPar(value) ? fromPar(value) : value
  const path = `workflows.${isObject(given) && typeof given['name'] === 'string' ? given['name'] : '(unnamed)'}`
  const parsed = workflowSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  return issue === undefined ? refuse(path, 'must be a workflow') : refuseIssue(issue, path)
}

function refuseIssue(issue: z.core.$ZodIssue, path: string): never {
  const place = issue.path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    path,
  )
  if (issue.code === 'unrecognized_keys') return refuse(`${place}.${issue.keys[0]}`, 'is an unknown field')
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    return refuse(place, `must be a type of step; known: ${TYPES.join(', ')}`)
  }
  const inner = issue.code === 'invalid_union' ? deepest(issue.errors) : undefined
  if (inner !== undefined) return refuseIssue(inner, place)
  return refuse(place, issue.message)
}

const TYPES = ['agent', 'tool', 'sequence', 'parallel', 'if', 'map', 'repeat', 'approval', 'workflow']

/** Finds the issue of the union branch that matches best: the one with an inner path. */
function deepest(errors: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue | undefined {
  return errors.flat().find(({ path }) => path.length > 0)
}

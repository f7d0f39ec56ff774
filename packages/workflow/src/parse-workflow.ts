import { nearestName } from '@parley/core'
import type * as z from 'zod'
import { fromPar, isPar } from './par/from-par.ts'
import { isObject } from './template/json.ts'
import { refuse } from './template/site.ts'
import type { Workflow } from './definition/workflow.ts'
import { workflowSchema } from './definition/workflow-schema.ts'

/**
 * Parses a workflow from JSON data: a Parley workflow, or a definition of the P-A-R SDK. It checks the form only; `defineWorkflow`
 * checks the names.
 * @throws ParleyError `config-invalid` with the path of each problem.
 */
export function parseWorkflow(value: unknown): Workflow {
  const given = isPar(value) ? fromPar(value) : value
  const path = `workflows.${isObject(given) && typeof given['name'] === 'string' ? given['name'] : '(unnamed)'}`
  const parsed = workflowSchema.safeParse(given)
  if (parsed.success) return parsed.data
  const [first, ...others] = parsed.error.issues.flatMap(issue => problemsOf(issue, path))
  if (first === undefined) return refuse(path, 'must be a workflow')
  return refuse(first.path, [first.detail, ...others.map(other => `${other.path}: ${other.detail}`)].join('; '))
}

interface Problem {
  readonly path: string
  readonly detail: string
}

function problemsOf(issue: z.core.$ZodIssue, path: string): readonly Problem[] {
  const place = issue.path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
    path,
  )
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => ({ path: `${place}.${key}`, detail: unknownField(key) }))
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    return [{ path: place, detail: `must be a type of step; known: ${TYPES.join(', ')}` }]
  }
  const inner = issue.code === 'invalid_union' ? deepest(issue.errors) : undefined
  if (inner !== undefined) return problemsOf(inner, place)
  return [{ path: place, detail: issue.message }]
}

function unknownField(name: string): string {
  const nearest = nearestName(name, FIELDS)
  return nearest === undefined ? 'is an unknown field' : `is an unknown field; did you mean '${nearest}'?`
}

const FIELDS = (
  'name description inputs steps output onFailure parallelLimit limits type agent prompt variables tool input condition else over ' +
  'as reduce until maxTimes roles timeoutMs onRejected onTimeout workflow'
).split(' ')

const TYPES = ['agent', 'tool', 'sequence', 'parallel', 'if', 'map', 'repeat', 'approval', 'workflow']

/** Finds the issue of the union branch that matches best: the one with an inner path. */
function deepest(errors: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue | undefined {
  return errors.flat().find(({ path }) => path.length > 0)
}

import type * as z from 'zod'
import type { JsonSchemaObject } from '@parley/core'
import { configJsonSchema, configSchema, type ConfigData } from '../schema/config-schema.ts'
import type { KeyPath } from '../schema/config.ts'
import { expectedWords, keysOf, literalsOf, schemasAt, acceptsString } from './expected-value.ts'
import { hintOf, nearestName } from './nearest-name.ts'
import type { Problem } from './problem.ts'
import { valueAt } from './value-at.ts'

type Issue = z.core.$ZodIssue

/** The data, or all problems of its shape. */
export type SchemaCheck = { readonly data: ConfigData } | { readonly problems: readonly Problem[] }

/** Checks data against the schema. Errors show found numbers, but never found strings: a string may be a secret. */
export function checkSchema(value: unknown): SchemaCheck {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return { data: parsed.data }
  const schema = configJsonSchema()
  const issues = parsed.error.issues.flatMap(issue => innermost(issue, []))
  return { problems: issues.flatMap(issue => toProblems(issue, value, schema)) }
}

/** Replaces the issue of a union by the issues of its nearest branch. */
function innermost(issue: Issue, above: readonly PropertyKey[]): readonly Issue[] {
  const path = [...above, ...issue.path]
  if (issue.code !== 'invalid_union') return [{ ...issue, path }]
  const branches = issue.errors.map(issues => issues.flatMap(inner => innermost(inner, [])))
  // A branch of another kind, such as a list instead of an object, is not what the author meant.
  const meant = branches.filter(branch =>
    branch.every(inner => inner.path.length > 0 || inner.code === 'unrecognized_keys'),
  )
  const [nearest] = meant.toSorted((one, other) => one.length - other.length)
  if (nearest === undefined) return [{ ...issue, path }]
  // If a key is misspelt, a missing key is most likely that key.
  const misspelt = nearest.filter(inner => inner.code === 'unrecognized_keys')
  return (misspelt.length > 0 ? misspelt : nearest).map(inner => ({ ...inner, path: [...path, ...inner.path] }))
}

function toProblems(issue: Issue, value: unknown, schema: JsonSchemaObject): readonly Problem[] {
  const key = issue.path.map(part => (typeof part === 'number' ? part : String(part)))
  const nodes = schemasAt(schema, key)
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(nodes)
    return issue.keys.map(name => ({ key: [...key, name], detail: unknownKey(name, known) }))
  }
  if (issue.code === 'invalid_key') return [{ key, detail: 'is an empty name' }]
  return [{ key, detail: mismatch(valueAt(value, key), { nodes, isThere: isThere(value, key) }) }]
}

function unknownKey(name: string, known: readonly string[]): string {
  if (known.includes(name)) return 'cannot be combined with the other keys here'
  return `is an unknown key; ${hintOf(name, known)}`
}

interface Expected {
  readonly nodes: ReturnType<typeof schemasAt>
  readonly isThere: boolean
}

function mismatch(found: unknown, { nodes, isThere }: Expected): string {
  const must = `must be ${expectedWords(nodes)}`
  const literals = literalsOf(nodes)
  if (!isThere) return `is missing; ${must}`
  if (found === null) return `is empty; ${must}`
  if (typeof found === 'number') return `is ${found}; ${must}`
  if (typeof found !== 'string' || found === '') return `is ${kindOf(found)}; ${must}`
  const nearest = nearestName(found, literals)
  if (nearest !== undefined) return `${must}; did you mean '${nearest}'?`
  return literals.length > 0 || acceptsString(nodes) ? must : `is a string; ${must}`
}

function kindOf(found: unknown): string {
  if (found === '') return 'an empty string'
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list'
  return typeof found === 'boolean' ? String(found) : 'an object'
}

function isThere(value: unknown, key: KeyPath): boolean {
  return valueAt(value, key) !== undefined
}

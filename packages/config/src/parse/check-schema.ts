import type * as z from 'zod'
import type { JsonSchemaObject } from '@parley/core'
import { configJsonSchema, configSchema, type ConfigData } from '../schema/config-schema.ts'
import type { KeyPath } from '../config.ts'
import { expectedWords, keysOf, literalsOf, schemasAt, takesText } from './expected-value.ts'
import { hintOf, nearestName } from './nearest-name.ts'
import type { Problem } from './problem.ts'
import { valueAt } from './value-at.ts'

type Issue = z.core.$ZodIssue

/** The data, or everything about its shape that is wrong. What was found in the place of something is not shown, but for numbers. */
export type SchemaCheck = { readonly data: ConfigData } | { readonly problems: readonly Problem[] }

export function checkSchema(value: unknown): SchemaCheck {
  const parsed = configSchema.safeParse(value)
  if (parsed.success) return { data: parsed.data }
  const schema = configJsonSchema()
  const issues = parsed.error.issues.flatMap(issue => innermost(issue, []))
  return { problems: issues.flatMap(issue => toProblems(issue, value, schema)) }
}

/** Of a union, what is wrong with the way it comes nearest to. */
function innermost(issue: Issue, above: readonly PropertyKey[]): readonly Issue[] {
  const path = [...above, ...issue.path]
  if (issue.code !== 'invalid_union') return [{ ...issue, path }]
  const ways = issue.errors.map(issues => issues.flatMap(inner => innermost(inner, [])))
  // A way whose very kind does not fit was not taken.
  const taken = ways.filter(way => way.every(inner => inner.path.length > 0 || inner.code === 'unrecognized_keys'))
  const [nearest] = taken.toSorted((one, other) => one.length - other.length)
  if (nearest === undefined) return [{ ...issue, path }]
  // With a key misspelt, what is missing is most likely that key.
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
  if (issue.code === 'invalid_key') return [{ key, detail: 'is no name: it is empty' }]
  return [{ key, detail: mismatch(valueAt(value, key), { nodes, isThere: isThere(value, key) }) }]
}

function unknownKey(name: string, known: readonly string[]): string {
  if (known.includes(name)) return 'does not go together with the other keys here'
  return `is no key here; ${hintOf(name, known, 'there are none')}`
}

interface Expected {
  readonly nodes: ReturnType<typeof schemasAt>
  readonly isThere: boolean
}

function mismatch(found: unknown, { nodes, isThere }: Expected): string {
  const must = `must be ${expectedWords(nodes)}`
  const literals = literalsOf(nodes)
  if (!isThere) return `is missing; it ${must}`
  if (found === null) return `is empty; it ${must}`
  if (typeof found === 'number') return `is ${found}; it ${must}`
  if (typeof found !== 'string' || found === '') return `is ${kindOf(found)}; it ${must}`
  const nearest = nearestName(found, literals)
  if (nearest !== undefined) return `${must}; did you mean '${nearest}'?`
  return literals.length > 0 || takesText(nodes) ? must : `is a text; it ${must}`
}

function kindOf(found: unknown): string {
  if (found === '') return 'an empty text'
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list'
  return typeof found === 'boolean' ? String(found) : 'an object'
}

function isThere(value: unknown, key: KeyPath): boolean {
  return valueAt(value, key) !== undefined
}

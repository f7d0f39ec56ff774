import * as z from 'zod'
import { hintOf, nearestName, type JsonSchemaObject } from '@parley/core'
import { configJsonSchema, configSchema, type ConfigData } from '../schema/config-schema.ts'
import type { KeyPath } from '../schema/config.ts'
import { expectedWords, keysOf, literalsOf, schemasAt, acceptsString } from './expected-value.ts'
import type { Problem } from './problem.ts'
import { valueAt } from './value-at.ts'

type Issue = z.core.$ZodIssue

/** The data, or all problems of its shape. */
export type SchemaCheck = { readonly data: ConfigData } | { readonly problems: readonly Problem[] }

/** Largest number of unknown keys for which the nearest known key is searched. Each search compares many names. */
const MOST_HINTS = 100

/** Checks data against the schema. Errors show found numbers, but never found strings: a string may be a secret. */
export function checkSchema(value: unknown): SchemaCheck {
  const parsed = configSchema.safeParse(value)
  return parsed.success ? { data: parsed.data } : { problems: problemsOf(parsed.error, value, configJsonSchema()) }
}

/** Returns what the options of a part do not match. The keys of the problems start at the options. */
export function checkOptions(schema: z.ZodType, options: unknown): readonly Problem[] {
  const parsed = schema.safeParse(options)
  if (parsed.success) return []
  return problemsOf(parsed.error, options, z.toJSONSchema(schema, { io: 'input' }) as JsonSchemaObject)
}

/** Returns the keys of the values that do not match the configuration's schema. */
export function faultyKeys(value: unknown): readonly KeyPath[] {
  const { error } = configSchema.safeParse(value)
  const issues = (error?.issues ?? []).flatMap(issue => innermost(issue, []))
  return issues.flatMap(issue => {
    const key = keyOf(issue)
    if (issue.code === 'unrecognized_keys') return issue.keys.map(name => [...key, name])
    // A missing value cannot be removed, so the object that lacks it is faulty.
    return [isThere(value, key) ? key : key.slice(0, -1)]
  })
}

function problemsOf(error: z.ZodError, value: unknown, schema: JsonSchemaObject): readonly Problem[] {
  const issues = error.issues.flatMap(issue => innermost(issue, []))
  return issues.flatMap(issue => toProblems(issue, value, schema))
}

function keyOf({ path }: Issue): KeyPath {
  return path.map(part => (typeof part === 'number' ? part : String(part)))
}

/** Replaces the issue of a union with the issues of its nearest branch. */
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
  // If a key is misspelled, a missing key is most likely that key.
  const misspelt = nearest.filter(inner => inner.code === 'unrecognized_keys')
  return (misspelt.length > 0 ? misspelt : nearest).map(inner => ({ ...inner, path: [...path, ...inner.path] }))
}

function toProblems(issue: Issue, value: unknown, schema: JsonSchemaObject): readonly Problem[] {
  const key = keyOf(issue)
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(schemasAt(schema, key))
    return issue.keys.map((name, index) => {
      const meant = index < MOST_HINTS ? nearestName(name, known) : undefined
      const detail = (): string => unknownKey(name, known)
      return { key: [...key, name], detail, ...(meant === undefined ? {} : { meant: [...key, meant] }) }
    })
  }
  if (issue.code === 'invalid_key') return [{ key, detail: 'is an empty name' }]
  const detail = (): string =>
    mismatch(valueAt(value, key), { nodes: schemasAt(schema, key), isThere: isThere(value, key) })
  return [{ key, detail }]
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

import type { Work } from '../../pattern/work.ts'
import { fail, schemaFault, type Check } from '../check.ts'
import { isMultiple } from './is-multiple.ts'
import type { SchemaObject } from '../schema-resource.ts'

type Fits = (value: number, bound: number, work: Work) => boolean

const BOUNDS: readonly (readonly [keyword: string, words: string, fits: Fits])[] = [
  ['minimum', 'at least', (value, bound) => value >= bound],
  ['maximum', 'at most', (value, bound) => value <= bound],
  ['exclusiveMinimum', 'above', (value, bound) => value > bound],
  ['exclusiveMaximum', 'below', (value, bound) => value < bound],
  ['multipleOf', 'a multiple of', isMultiple],
]

/** Compiles the keywords for numbers. */
export function numberChecks(given: SchemaObject, path: string): Check[] {
  const schema = exclusiveBounds(given)
  return BOUNDS.flatMap(([keyword, words, fits]) => {
    const bound = numberOf(schema, keyword, path)
    if (bound === undefined) return []
    if (keyword === 'multipleOf' && bound <= 0) schemaFault(`${path}/multipleOf`, 'must be above 0')
    const check: Check = (value, at, run) =>
      typeof value !== 'number' || fits(value, bound, run) || fail(run, at, `must be ${words} ${bound}`)
    return [check]
  })
}

/** Returns a keyword's number. @throws ParleyError `config-invalid` if it is not a number. */
function numberOf(schema: SchemaObject, keyword: string, path: string): number | undefined {
  const value = schema[keyword] ?? undefined
  if (value !== undefined && typeof value !== 'number') schemaFault(`${path}/${keyword}`, 'must be a number')
  return value
}

/** Returns a keyword's count. @throws ParleyError `config-invalid` if it is not a whole number of 0 or more. */
export function countOf(schema: SchemaObject, keyword: string, path: string): number | undefined {
  const value = numberOf(schema, keyword, path)
  if (value !== undefined && !(Number.isInteger(value) && value >= 0))
    schemaFault(`${path}/${keyword}`, 'must be an integer of at least 0')
  return value
}

/**
 * Rewrites the bounds of draft 4: `minimum: 3, exclusiveMinimum: true` has been `exclusiveMinimum: 3` since draft 6.
 */
export function exclusiveBounds(schema: SchemaObject): SchemaObject {
  if (typeof schema['exclusiveMinimum'] !== 'boolean' && typeof schema['exclusiveMaximum'] !== 'boolean') return schema
  const result: Record<string, unknown> = { ...schema }
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof result[exclusive] !== 'boolean') continue
    const isExclusive = result[exclusive]
    delete result[exclusive]
    if (!isExclusive || result[bound] === undefined) continue
    result[exclusive] = result[bound]
    delete result[bound]
  }
  return result
}

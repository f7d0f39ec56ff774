import { escapeKey } from './check.ts'
import { isRecord } from './same-json.ts'

const SINGLE = new Set([
  'items',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'])

/** Whether a value can be a schema. */
export function isSchema(value: unknown): value is boolean | Readonly<Record<string, unknown>> {
  return typeof value === 'boolean' || isRecord(value)
}

/** Calls `visit` with every schema directly inside a schema, and its path below it. */
export function eachSubschema(
  schema: Readonly<Record<string, unknown>>,
  visit: (sub: Readonly<Record<string, unknown>>, path: string) => void,
): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (SINGLE.has(keyword) && isRecord(value)) visit(value, `/${keyword}`)
    else if (LISTS.has(keyword) && Array.isArray(value)) {
      for (const [index, item] of value.entries()) if (isRecord(item)) visit(item, `/${keyword}/${index}`)
    } else if (MAPS.has(keyword) && isRecord(value)) {
      for (const [key, item] of Object.entries(value)) if (isRecord(item)) visit(item, `/${keyword}/${escapeKey(key)}`)
    }
  }
}

/** Returns a schema with every schema directly inside it replaced. The same object if none of them changed. */
export function replaceSubschemas<TSchema extends Readonly<Record<string, unknown>>>(
  schema: TSchema,
  replace: (sub: Readonly<Record<string, unknown>>) => unknown,
): TSchema {
  const replaceIn = (value: unknown): unknown => (isRecord(value) ? replace(value) : value)
  const changed: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    let next = value
    if (LISTS.has(keyword) && Array.isArray(value)) next = value.map(replaceIn)
    else if (SINGLE.has(keyword)) next = replaceIn(value)
    else if (MAPS.has(keyword) && isRecord(value))
      next = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaceIn(item)]))
    if (!isSame(next, value)) changed[keyword] = next
  }
  return Object.keys(changed).length === 0 ? schema : { ...schema, ...changed }
}

/** Whether two values, or all their direct members, are the same objects. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return false
  return Object.entries(one).every(([key, value]) => value === (other as Readonly<Record<string, unknown>>)[key])
}

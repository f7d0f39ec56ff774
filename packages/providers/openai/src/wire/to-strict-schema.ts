import type { JsonSchemaObject } from '@parley/core'
import { isFields, type Fields } from '@parley/provider-kit'

const DEEPEST = 10
const MOST_PROPERTIES = 5000
const REFUSED: ReadonlySet<string> = new Set([
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
  'prefixItems',
  'contains',
  'minLength',
  'maxLength',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])
const DROPPED: ReadonlySet<string> = new Set(['default', '$schema', '$id', 'examples'])
const NULL = { type: 'null' } as const

interface Scope {
  properties: number
}

/**
 * Converts a schema to OpenAI's strict form: objects are closed and require every property, and an optional property may be
 * null instead of missing. `undefined` if the schema has no strict form.
 */
export function toStrictSchema(schema: JsonSchemaObject): JsonSchemaObject | undefined {
  if (schema['type'] !== 'object' || schema['anyOf'] !== undefined || schema['oneOf'] !== undefined) return undefined
  return strict(schema, 0, { properties: 0 })
}

function strict(schema: unknown, depth: number, scope: Scope): JsonSchemaObject | undefined {
  if (!isFields(schema) || depth > DEEPEST) return undefined
  if (typeof schema['$ref'] === 'string') return { $ref: schema['$ref'] }
  if (Object.keys(schema).some(keyword => REFUSED.has(keyword)) || !isTyped(schema)) return undefined
  const out: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (DROPPED.has(keyword)) continue
    const converted = convert(keyword, value, { schema, depth, scope })
    if (converted === undefined) return undefined
    out[keyword === 'oneOf' ? 'anyOf' : keyword] = converted
  }
  if (isA('array', schema) && out['items'] === undefined) return undefined
  return isA('object', schema) ? closeObject(out, schema) : out
}

interface Place {
  readonly schema: Fields
  readonly depth: number
  readonly scope: Scope
}

function convert(keyword: string, value: unknown, { schema, depth, scope }: Place): unknown {
  if (keyword === 'items') return strict(value, depth + 1, scope)
  if (keyword === '$defs' || keyword === 'definitions') return convertAll(value, item => strict(item, depth, scope))
  if (keyword === 'properties') {
    const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
    return convertAll(value, (item, name) => {
      if (++scope.properties > MOST_PROPERTIES) return undefined
      const inner = strict(item, depth + 1, scope)
      return inner === undefined || required.has(name) ? inner : orNull(inner)
    })
  }
  if (keyword !== 'anyOf' && keyword !== 'oneOf') return value
  if (!Array.isArray(value)) return undefined
  const branches = value.map(branch => strict(branch, depth, scope))
  return branches.includes(undefined) ? undefined : branches
}

function convertAll(value: unknown, each: (item: unknown, name: string) => unknown): Fields | undefined {
  if (!isFields(value)) return undefined
  const entries = Object.entries(value).map(([name, item]) => [name, each(item, name)] as const)
  return entries.some(([, item]) => item === undefined) ? undefined : Object.fromEntries(entries)
}

/** Closes an object schema; `undefined` if the object has free keys. */
function closeObject(out: Fields, { additionalProperties, properties }: Fields): JsonSchemaObject | undefined {
  if (additionalProperties !== undefined && additionalProperties !== false) return undefined
  const names = isFields(properties) ? Object.keys(properties) : []
  if (names.length === 0 && additionalProperties === undefined) return undefined
  return { ...out, required: names, additionalProperties: false }
}

function orNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, anyOf, enum: values } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: anyOf.some(isNullType) ? anyOf : [...(anyOf as Fields[]), NULL] }
  if (type === undefined || values !== undefined || schema['const'] !== undefined)
    return isNullType(schema) ? schema : { anyOf: [schema, NULL] }
  if (isNullType(schema)) return schema
  return { ...schema, type: Array.isArray(type) ? [...(type as string[]), 'null'] : [type, 'null'] }
}

function isNullType(schema: unknown): boolean {
  return isFields(schema) && isA('null', schema)
}

function isA(name: string, { type }: Fields): boolean {
  return type === name || (Array.isArray(type) && type.includes(name))
}

function isTyped({ type, anyOf, oneOf, enum: values, const: only }: Fields): boolean {
  return [type, anyOf, oneOf, values, only].some(value => value !== undefined)
}

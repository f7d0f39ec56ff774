import type { JsonSchemaObject } from '@parley/core'
import { isFields, type Fields, type Refuse } from '@parley/provider-kit'

/** Keywords that the API rejects in a schema. They are written into the description instead. */
const BOUNDS: ReadonlySet<string> = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
])
const REFUSED = ['not', 'if', 'then', 'else', 'patternProperties', 'dependentRequired', 'dependentSchemas'] as const
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions'])
const LISTS: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems'])

/**
 * Converts a schema to the form that the API accepts: objects are closed, `oneOf` becomes `anyOf`, and bounds move into
 * descriptions. A value that matches the new schema and keeps the bounds also matches the original schema.
 * @throws `model-unsupported` for objects with free keys, and for keywords without a replacement.
 */
export function toOutputSchema(schema: JsonSchemaObject, refuse: Refuse): JsonSchemaObject {
  const refused = REFUSED.find(keyword => schema[keyword] !== undefined)
  if (refused !== undefined) throw refuse(`The Messages API does not support '${refused}' in a schema.`)
  const out: Record<string, unknown> = {}
  const bounds: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$schema') continue
    if (BOUNDS.has(keyword)) bounds.push(`${keyword}: ${JSON.stringify(value)}`)
    else out[keyword === 'oneOf' ? 'anyOf' : keyword] = convert(keyword, value, refuse)
  }
  if (isObjectSchema(schema)) {
    if (Object.keys((schema['properties'] as Fields | undefined) ?? {}).length === 0 && isOpen(schema))
      throw refuse('The Messages API does not support objects with free keys in a schema. List every property.')
    out['additionalProperties'] = false
  }
  if (bounds.length === 0) return out
  const description = typeof out['description'] === 'string' ? `${out['description']} ` : ''
  return { ...out, description: `${description}(${bounds.join(', ')})` }
}

function convert(keyword: string, value: unknown, refuse: Refuse): unknown {
  const inner = (schema: unknown): unknown => (isFields(schema) ? toOutputSchema(schema, refuse) : schema)
  if (keyword === 'items') return inner(value)
  if (LISTS.has(keyword) && Array.isArray(value)) return value.map(inner)
  if (!MAPS.has(keyword) || !isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, inner(schema)]))
}

function isObjectSchema({ type, properties }: Fields): boolean {
  return type === 'object' || properties !== undefined || (Array.isArray(type) && type.includes('object'))
}

function isOpen({ additionalProperties }: Fields): boolean {
  return additionalProperties !== false
}

import type { JsonSchemaObject } from '@parley/core'
import type { Refuse } from '../refuse.ts'

type Fields = Readonly<Record<string, unknown>>

/** What the API refuses in a schema; the model is told in words instead. */
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
 * The schema as the API takes it: objects are closed, `oneOf` is `anyOf`, bounds move into descriptions. What fits the
 * result and keeps the bounds fits the original.
 * @throws `model-unsupported` for objects with free keys and for keywords that cannot be said otherwise.
 */
export function toOutputSchema(schema: JsonSchemaObject, refuse: Refuse): JsonSchemaObject {
  const refused = REFUSED.find(keyword => schema[keyword] !== undefined)
  if (refused !== undefined) throw refuse(`Its output schemas have no '${refused}'.`)
  const out: Record<string, unknown> = {}
  const bounds: string[] = []
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '$schema') continue
    if (BOUNDS.has(keyword)) bounds.push(`${keyword}: ${JSON.stringify(value)}`)
    else out[keyword === 'oneOf' ? 'anyOf' : keyword] = convert(keyword, value, refuse)
  }
  if (isObjectSchema(schema)) {
    if (Object.keys((schema['properties'] as Fields | undefined) ?? {}).length === 0 && isOpen(schema))
      throw refuse('Its output schemas name every property: an object with free keys cannot be asked for.')
    out['additionalProperties'] = false
  }
  if (bounds.length === 0) return out
  const said = typeof out['description'] === 'string' ? `${out['description']} ` : ''
  return { ...out, description: `${said}(${bounds.join(', ')})` }
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

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import type { JsonSchemaObject } from '@parley/core'

/** Turns any schema into the schema of an object: tools and providers accept only objects. */
export interface ObjectSchema {
  readonly schema: JsonSchemaObject
  /** Whether the value is the object's only field, `value`. */
  readonly wrapped: boolean
}

export function toObjectSchema(schema: JsonSchemaObject): ObjectSchema {
  if (schema['type'] === 'object') return { schema, wrapped: false }
  const { $schema: dialect, $defs: definitions, ...value } = schema
  return {
    wrapped: true,
    schema: {
      ...(dialect === undefined ? {} : { $schema: dialect }),
      type: 'object',
      properties: { value: moveReferences(value) },
      required: ['value'],
      additionalProperties: false,
      ...(definitions === undefined ? {} : { $defs: moveReferences(definitions) }),
    },
  }
}

/** Changes references to the root of the schema, except to its definitions, so that they point at `value`. */
function moveReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(moveReferences)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, inner]) => [key, key === '$ref' ? moveReference(inner) : moveReferences(inner)]),
  )
}

function moveReference(reference: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#') || reference.startsWith('#/$defs/')) return reference
  return `#/properties/value${reference.slice(1)}`
}

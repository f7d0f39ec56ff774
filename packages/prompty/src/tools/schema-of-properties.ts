import type { JsonSchemaObject } from '@parley/core'
import type { PromptyProperty, PropertyKind } from '../format/prompty-agent.ts'

const TYPES: Readonly<Record<PropertyKind, string>> = {
  string: 'string',
  integer: 'integer',
  float: 'number',
  number: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
  union: '',
  thread: 'array',
  image: 'string',
  file: 'string',
  audio: 'string',
}

export interface SchemaOptions {
  /**
   * Whether the provider enforces the schema. Then every property is required, an optional one may be null, and other properties
   * are not allowed. @default false
   */
  readonly strict?: boolean | undefined
}

/** Makes the JSON Schema of an object with these properties. */
export function schemaOfProperties(
  properties: readonly PromptyProperty[],
  { strict = false }: SchemaOptions = {},
): JsonSchemaObject {
  const entries = properties.map(property => [property.name, schemaOf(property, strict)] as const)
  const required = properties.filter(property => strict || property.required === true).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(entries),
    ...(required.length === 0 ? {} : { required }),
    ...(strict ? { additionalProperties: false } : {}),
  }
}

/** The schema of one property. An optional property of a strict schema may be null, because it must be present. */
function schemaOf(property: PromptyProperty, strict: boolean): JsonSchemaObject {
  const { required = false, nullable = false } = property
  return nullable || (strict && !required) ? orNull(valueSchema(property, strict)) : valueSchema(property, strict)
}

function valueSchema(property: PromptyProperty, strict: boolean): JsonSchemaObject {
  const { kind, description, enumValues, items, properties, oneOf, anyOf } = property
  const branch = (variant: PromptyProperty): JsonSchemaObject =>
    variant.nullable === true ? orNull(valueSchema(variant, strict)) : valueSchema(variant, strict)
  const words = {
    ...(description === undefined ? {} : { description }),
    ...(enumValues === undefined ? {} : { enum: enumValues }),
  }
  if (kind === 'union') {
    const branches = (oneOf ?? anyOf ?? []).map(branch)
    return { ...(oneOf === undefined || strict ? { anyOf: branches } : { oneOf: branches }), ...words }
  }
  if (kind === 'object') return { ...schemaOfProperties(properties ?? [], { strict }), ...words }
  return { type: TYPES[kind], ...words, ...(kind === 'array' && items !== undefined ? { items: branch(items) } : {}) }
}

function orNull(schema: JsonSchemaObject): JsonSchemaObject {
  const { type, anyOf, oneOf, enum: choices } = schema
  const branches = anyOf ?? oneOf
  if (Array.isArray(branches)) {
    const { oneOf: _, ...rest } = schema
    return { ...rest, anyOf: [...(branches as unknown[]), { type: 'null' }] }
  }
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(choices) ? { enum: [...(choices as unknown[]), null] } : {}),
  }
}

import type { SchemaObject } from '../schema-resource.ts'

const VALIDATING = new Set([
  'type',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
])

/** Removes the keywords of the validation vocabulary, for a schema whose metaschema does not have it. */
export function withoutValidation(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !VALIDATING.has(keyword)))
}

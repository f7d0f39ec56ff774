import { isStandardSchema, type JsonSchemaObject, type Schema } from './standard-schema.ts'

/**
 * Converts a schema to the JSON Schema that is sent to a model. It describes the input of the schema, before
 * transforms.
 * @returns A sentence with the reason if the schema's library cannot produce a JSON Schema.
 */
export function toJsonSchema(schema: Schema): JsonSchemaObject | string {
  if (!isStandardSchema(schema)) return schema
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) return `${vendor} schemas have no JSON Schema. Set 'jsonSchema' too.`
  try {
    const { $schema: _, ...rest } = jsonSchema.input({ target: 'draft-2020-12' })
    return rest
  } catch (error) {
    return `${vendor} cannot convert the schema to JSON Schema: ${error instanceof Error ? error.message : String(error)}`
  }
}

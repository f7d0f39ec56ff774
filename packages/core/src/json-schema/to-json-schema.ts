import { isStandardSchema, type JsonSchemaObject, type Schema } from './standard-schema.ts'

/**
 * The JSON Schema a model is shown for `schema`'s input.
 * @returns A sentence instead of a schema when the library behind `schema` cannot give one.
 */
export function toJsonSchema(schema: Schema): JsonSchemaObject | string {
  if (!isStandardSchema(schema)) return schema
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) return `${vendor} schemas carry no JSON Schema. Give a 'jsonSchema' beside it.`
  try {
    const { $schema: _, ...rest } = jsonSchema.input({ target: 'draft-2020-12' })
    return rest
  } catch (error) {
    return `${vendor} cannot express it as JSON Schema: ${error instanceof Error ? error.message : String(error)}`
  }
}

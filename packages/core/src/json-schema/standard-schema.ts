/**
 * The part of the Standard Schema and Standard JSON Schema interfaces (standardschema.dev, version 1) that Parley reads. Any
 * library that implements them can be used.
 */
export interface StandardSchema<TInput = unknown, TOutput = TInput> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<TOutput> | Promise<StandardResult<TOutput>>
    readonly types?: { readonly input: TInput; readonly output: TOutput } | undefined
    readonly jsonSchema?:
      | {
          readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
          readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
        }
      | undefined
  }
}

/** Result of a Standard Schema validation. */
export type StandardResult<TOutput> =
  | { readonly value: TOutput; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A reason why a value does not fit a Standard Schema. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A JSON Schema (draft 2020-12) as plain data. */
export interface JsonSchemaObject {
  readonly [keyword: string]: unknown
}

/** A schema: a Standard Schema (zod, valibot, arktype, …) or a JSON Schema. */
export type Schema = StandardSchema | JsonSchemaObject

/** Type of a schema's validated value. `unknown` for a JSON Schema, because it has no static type. */
export type InferSchema<TSchema> = TSchema extends {
  readonly '~standard': { readonly types?: { readonly output: infer TOutput } | undefined }
}
  ? TOutput
  : unknown

/** Whether a schema is a Standard Schema instead of a JSON Schema. */
export function isStandardSchema(schema: Schema): schema is StandardSchema {
  return '~standard' in schema
}

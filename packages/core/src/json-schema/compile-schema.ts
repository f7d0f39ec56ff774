import { checkOptions } from '../options/check-options.ts'
import type { OptionKinds } from '../options/option-kind.ts'
import type { ValidationIssue } from '../schema/error-info.ts'
import { isStandardSchema, type Schema, type StandardIssue, type StandardSchema } from './standard-schema.ts'
import { pointer } from './check.ts'
import { compileJsonSchema, runCheck, type CompileOptions } from './compile-json-schema.ts'

/** Result of a validation: the value after the schema's defaults and transforms, or the issues. */
export type Validation =
  | { readonly ok: true; readonly value: unknown; readonly issues?: undefined }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] }

/** A compiled schema. */
export type Validate = (value: unknown) => Validation | Promise<Validation>

const OPTIONS: OptionKinds<CompileOptions> = {
  documents: 'object',
}

/**
 * Compiles a schema to a validation function. A JSON Schema may come from outside: the work of a validation is bounded, and it
 * never uses the network.
 * @throws ParleyError `config-invalid` with the path of the keyword if a JSON Schema is invalid.
 */
export function compileSchema(schema: Schema | boolean, options?: CompileOptions): Validate {
  if (options !== undefined) checkOptions('compileSchema', options, OPTIONS)
  if (typeof schema !== 'boolean' && isStandardSchema(schema)) return value => standardValidate(schema, value)
  const check = compileJsonSchema(schema, options)
  return value => {
    const issues = runCheck(check, value)
    return issues === undefined ? { ok: true, value } : { ok: false, issues }
  }
}

function standardValidate(schema: StandardSchema, value: unknown): Validation | Promise<Validation> {
  const result = schema['~standard'].validate(value)
  return result instanceof Promise ? result.then(toValidation) : toValidation(result)
}

function toValidation(result: Awaited<ReturnType<StandardSchema['~standard']['validate']>>): Validation {
  if (result.issues === undefined) return { ok: true, value: result.value }
  return { ok: false, issues: result.issues.map(toIssue) }
}

function toIssue({ message, path = [] }: StandardIssue): ValidationIssue {
  const keys = path.map(segment => String(typeof segment === 'object' ? segment.key : segment))
  return { path: keys.reduce(pointer, ''), message }
}

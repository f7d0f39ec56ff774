import type { ValidationIssue } from '../schema/error-info.ts'
import { isStandardSchema, type Schema, type StandardIssue, type StandardSchema } from './standard-schema.ts'
import type { Check } from './check.ts'
import { compileJsonSchema } from './compile-json-schema.ts'

/** Result of a validation: the value after the schema's defaults and transforms, or the issues. */
export type Validation =
  | { readonly ok: true; readonly value: unknown; readonly issues?: undefined }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] }

/** A compiled schema. */
export type Validate = (value: unknown) => Validation | Promise<Validation>

/**
 * Compiles a schema to a validation function. The full JSON Schema validator is loaded only if a schema needs it.
 * @throws ParleyError `config-invalid` with the path of the keyword if a JSON Schema is invalid.
 */
export function compileSchema(schema: Schema): Validate {
  if (isStandardSchema(schema)) return value => standardValidate(schema, value)
  const check = compileJsonSchema(schema)
  return check === undefined ? fullValidate(schema) : value => checked(check, value)
}

function checked(check: Check, value: unknown): Validation {
  const issues: ValidationIssue[] = []
  return check(value, '', issues) ? { ok: true, value } : { ok: false, issues }
}

function fullValidate(schema: object): Validate {
  let loading: Promise<(value: unknown) => Validation> | undefined
  return async value => {
    loading ??= loadFullValidator(schema)
    const validate = await loading
    return validate(value)
  }
}

async function loadFullValidator(schema: object): Promise<(value: unknown) => Validation> {
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema, '2020-12', false)
  return value => {
    const { valid, errors } = validator.validate(value)
    if (valid) return { ok: true, value }
    // Outer keywords only repeat that an inner keyword failed. The last entries are the causes.
    const issues = errors.map(({ instanceLocation, error }) => ({
      path: instanceLocation.replace(/^#/, ''),
      message: error,
    }))
    return { ok: false, issues: issues.slice(-5) }
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
  return { path: keys.map(key => `/${key}`).join(''), message }
}

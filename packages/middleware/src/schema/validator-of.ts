import { isStandardSchema, type Schema, type StandardIssue, type ValidationIssue } from '@parley/core'

/** The value as the schema gives it back, or what is wrong with it. */
export type Checked =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly ValidationIssue[] }

/** Outer keywords only repeat that an inner one failed; the last entries are the causes. */
const SHOWN_ISSUES = 5

/** A check for values by `schema`. The validator of JSON Schemas is loaded when it is first needed. */
export function validatorOf(schema: Schema): (value: unknown) => Promise<Checked> {
  if (isStandardSchema(schema)) {
    return async value => {
      const result = await schema['~standard'].validate(value)
      return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(toIssue) }
    }
  }
  let loading: Promise<(value: unknown) => Checked> | undefined
  return async value => {
    loading ??= jsonSchemaValidator(schema)
    return (await loading)(value)
  }
}

async function jsonSchemaValidator(schema: object): Promise<(value: unknown) => Checked> {
  const { Validator } = await import('@cfworker/json-schema')
  const validator = new Validator(schema, '2020-12', false)
  return value => {
    const { valid, errors } = validator.validate(value)
    if (valid) return { value }
    const issues = errors.map(({ instanceLocation, error }) => ({
      path: instanceLocation.replace(/^#/, ''),
      message: error,
    }))
    return { issues: issues.slice(-SHOWN_ISSUES) }
  }
}

function toIssue({ message, path = [] }: StandardIssue): ValidationIssue {
  const keys = path.map(segment => String(typeof segment === 'object' ? segment.key : segment))
  return { path: keys.map(key => `/${key}`).join(''), message }
}

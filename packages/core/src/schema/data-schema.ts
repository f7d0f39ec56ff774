import type { StandardIssue, StandardSchema } from '../json-schema/standard-schema.ts'

/** A schema of values that are stored or sent: a Standard Schema that also checks without a promise. */
export interface DataSchema<TValue> extends StandardSchema<unknown, TValue> {
  /** Returns the checked value. Throws an error with the `issues` if the value does not fit. */
  parse(value: unknown): TValue
  /** Returns the checked value, or why the value does not fit. */
  safeParse(value: unknown):
    | { readonly success: true; readonly data: TValue }
    | {
        readonly success: false
        readonly data?: undefined
        readonly error: Error & { readonly issues: readonly StandardIssue[] }
      }
}

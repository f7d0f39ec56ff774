import type { Json } from '@parley/core'

/**
 * A condition as data. A string, a number, `true`, `false` or `null` is its own value. A missing value is `null`. `false`, `0`, `''`,
 * `[]` and `null` count as false.
 */
export type Expression =
  | string
  | number
  | boolean
  | null
  | { readonly literal: Json }
  /** A path, as in templates. */
  | { readonly variable: string }
  /** Whether two values are equal. The order of object keys does not count. */
  | { readonly equals: readonly [Expression, Expression] }
  | { readonly notEquals: readonly [Expression, Expression] }
  /** Compares numbers, or strings that are numbers. It is false for all other values. */
  | { readonly greaterThan: readonly [Expression, Expression] }
  | { readonly lessThan: readonly [Expression, Expression] }
  /** `and`: whether all values are true. `or`: whether any is. Evaluation stops once the result is known. */
  | { readonly and: readonly Expression[] }
  | { readonly or: readonly Expression[] }
  | { readonly not: Expression }
  /** Whether a string contains another string, or a list contains an item. */
  | { readonly contains: readonly [Expression, Expression] }
  /** Whether an object has a key. */
  | { readonly hasKey: readonly [Expression, string] }
  /** Whether a value is `null`, `''`, `[]` or `{}`. */
  | { readonly isEmpty: Expression }
  /** Whether an RE2 pattern matches anywhere in a string. Takes linear time. */
  | { readonly matches: readonly [Expression, string] }

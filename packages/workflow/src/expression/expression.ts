import type { Json } from '@parley/core'

/**
 * A condition as data. A text, a number, `true`, `false` or `null` stands for itself. Whatever is missing is `null`; what counts
 * as false is `false`, `0`, `''`, `[]` and `null`.
 */
export type Expression =
  | string
  | number
  | boolean
  | null
  | { readonly literal: Json }
  /** A path as templates have it. */
  | { readonly variable: string }
  /** The same data; the order of members does not count. */
  | { readonly equals: readonly [Expression, Expression] }
  | { readonly notEquals: readonly [Expression, Expression] }
  /** Of numbers, or texts that are numbers. Anything else is neither greater nor less. */
  | { readonly greaterThan: readonly [Expression, Expression] }
  | { readonly lessThan: readonly [Expression, Expression] }
  /** Looks no further than it must. */
  | { readonly and: readonly Expression[] }
  | { readonly or: readonly Expression[] }
  | { readonly not: Expression }
  /** Whether a text has another in it, or a list an item. */
  | { readonly contains: readonly [Expression, Expression] }
  /** Whether an object has a member of that name. */
  | { readonly hasKey: readonly [Expression, string] }
  /** `null`, `''`, `[]` and `{}` are. */
  | { readonly isEmpty: Expression }
  /** Whether an RE2 pattern is found anywhere in a text; takes time in proportion to the text. */
  | { readonly matches: readonly [Expression, string] }

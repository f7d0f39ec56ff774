import * as z from 'zod'
import type { Json } from '@parley/core'

/** A text that says something. */
export const words = z.string().min(1)

/** A whole number above 0. */
export const count = z.int().min(1)

/** Milliseconds, 0 or more. */
export const milliseconds = z.number().min(0)

/** Milliseconds, more than none. */
export const lasting = z.number().gt(0)

/** Any value; its type is what a parser of JSON, YAML or TOML gives. */
export const anyJson = z.unknown() as unknown as z.ZodType<Json>

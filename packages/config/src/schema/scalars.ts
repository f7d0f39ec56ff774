import * as z from 'zod'
import type { Json } from '@parley/core'

/** A non-empty string. */
export const words = z.string().min(1)

/** A positive integer. */
export const count = z.int().min(1)

/** Milliseconds, 0 or more. */
export const milliseconds = z.number().min(0)

/** Milliseconds, more than 0. */
export const lasting = z.number().gt(0)

/** Any value that a JSON, YAML or TOML parser returns. */
export const anyJson = z.unknown() as unknown as z.ZodType<Json>

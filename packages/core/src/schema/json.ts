import * as z from 'zod'

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Schema of a JSON value. It checks without copying, because zod's copy of a record drops a key named `__proto__`. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>(isJson, 'must be JSON')

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  return typeof value === 'object' && Object.values(value).every(isJson)
}

import * as z from 'zod'

/** A JSON object. */
export type JsonObject = Record<string, unknown>

/** Any JSON object. Checked without copying, because zod's copy of a record drops a key named `__proto__`. */
export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
)

import * as z from 'zod'
import { isJson } from './is-json.ts'

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** Schema of a JSON value. It checks without copying, because zod's copy of a record drops a key named `__proto__`. */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>(isJson, 'must be JSON')

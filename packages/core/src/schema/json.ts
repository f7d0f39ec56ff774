import * as z from 'zod'

/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export const jsonSchema: z.ZodType<Json> = z.json()

import type { DataSchema } from '@parley/core/schema'
import * as z from 'zod'

/**
 * Makes a schema of core part of a zod schema. It keeps the paths and the messages of the issues. The server and the Restate host
 * each have this function, because no package below both may import zod.
 */
export function storedValue<TValue>(schema: DataSchema<TValue>): z.ZodType<TValue> {
  return z.unknown().transform((input, context) => {
    const read = schema.safeParse(input)
    if (read.success) return read.data
    for (const { message, path = [] } of read.error.issues)
      context.addIssue({ code: 'custom', message, path: path.map(key => (typeof key === 'object' ? key.key : key)) })
    return z.NEVER
  })
}

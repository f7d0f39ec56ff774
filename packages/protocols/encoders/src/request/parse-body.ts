import { ParleyError } from '@parley/core'
import type * as z from 'zod'

/** @throws ParleyError `request-invalid` naming the first field that does not fit. */
export function parseBody<TSchema extends z.ZodType>(schema: TSchema, body: unknown): z.infer<TSchema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidRequest(issue?.path.join('.') || 'the body', issue?.message ?? 'does not fit')
}

export function invalidRequest(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'request-invalid', path, detail })
}

import { ParleyError } from '@parley/core'
import type * as z from 'zod'

/**
 * Checks the body of a request, already parsed from JSON, against a schema.
 * @throws ParleyError `request-invalid` naming the first invalid field.
 */
export function parseBody<TSchema extends z.ZodType>(schema: TSchema, body: unknown): z.infer<TSchema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  throw invalidRequest(issue?.path.join('.') || 'the body', issue?.message ?? 'does not fit')
}

/** Creates the `request-invalid` error of one field. */
export function invalidRequest(path: string, detail: string): ParleyError {
  return new ParleyError({ code: 'request-invalid', path, detail })
}

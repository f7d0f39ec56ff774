import type * as z from 'zod'
import { ParleyError } from '../parley-error.ts'

export interface StoredText<TSchema> {
  readonly schema: TSchema
  /** What it is, for errors: `entry`. */
  readonly name: string
  /** Its place (store, run, number), for errors. */
  readonly where: string
}

/**
 * Reads what a store has kept as JSON.
 * @throws ParleyError `store-corrupt` when the text is not of a shape this release knows.
 */
export function parseStored<TSchema extends z.ZodType>(
  text: string,
  { schema, name, where }: StoredText<TSchema>,
): z.output<TSchema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new ParleyError({ code: 'store-corrupt', store: where, detail: `the ${name} is not JSON` }, { cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const detail = issue === undefined ? 'unknown shape' : `${issue.path.join('.') || name}: ${issue.message}`
  throw new ParleyError({ code: 'store-corrupt', store: where, detail })
}

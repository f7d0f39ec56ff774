import type * as z from 'zod'
import { ParleyError } from '../../errors/parley-error.ts'

export interface StoredText {
  /** What it is, for errors: `entry`. */
  readonly name: string
  /** Its place (store, run, number), for errors. */
  readonly where: string
}

export interface StoredValue<TSchema> extends StoredText {
  readonly schema: TSchema
}

/**
 * Reads what a store has kept as JSON.
 * @throws ParleyError `store-corrupt` when the text is not of a shape this release knows.
 */
export function parseStored<TSchema extends z.ZodType>(text: string, shape: StoredValue<TSchema>): z.output<TSchema> {
  return checkStored(parseStoredJson(text, shape), shape)
}

/** @throws ParleyError `store-corrupt` when the text is not JSON. */
export function parseStoredJson(text: string, { name, where }: StoredText): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ParleyError({ code: 'store-corrupt', store: where, detail: `the ${name} is not JSON` }, { cause })
  }
}

/** @throws ParleyError `store-corrupt` when the value is not of a shape this release knows. */
export function checkStored<TSchema extends z.ZodType>(
  value: unknown,
  { schema, name, where }: StoredValue<TSchema>,
): z.output<TSchema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const detail = issue === undefined ? 'unknown shape' : `${issue.path.join('.') || name}: ${issue.message}`
  throw new ParleyError({ code: 'store-corrupt', store: where, detail })
}

import type { ModelSettings } from '@parley/core'
import * as z from 'zod'

const namedSchema = z.looseObject({ name: z.string().nullish(), schema: z.record(z.string(), z.unknown()).nullish() })

/** The requested shape of an answer, as in chat completions. */
export const responseFormatSchema = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']),
  json_schema: namedSchema.nullish(),
})

/**
 * The requested shape of an answer, as in the Responses API, where `schema` is a field of the same object as `type`.
 */
export const textFormatSchema = namedSchema.extend({ type: z.enum(['text', 'json_object', 'json_schema']) })

/** Turns the requested shape into a model setting. */
export function toOutputFormat(
  type: 'text' | 'json_object' | 'json_schema' | undefined,
  named: z.infer<typeof namedSchema> | null | undefined,
): ModelSettings {
  if (type === 'json_object') return { output: 'json' }
  if (type !== 'json_schema' || named?.schema == null) return {}
  // Any object is accepted as a JSON Schema. The provider reports what it cannot use.
  return { output: { name: named.name ?? 'answer', schema: named.schema } }
}

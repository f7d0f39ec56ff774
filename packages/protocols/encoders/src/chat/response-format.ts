import type { ModelSettings } from '@parley/core'
import * as z from 'zod'

const namedSchema = z.looseObject({ name: z.string().nullish(), schema: z.record(z.string(), z.unknown()).nullish() })

/** The shape an answer is wished in, as chat completions say it. */
export const responseFormatSchema = z.looseObject({
  type: z.enum(['text', 'json_object', 'json_schema']),
  json_schema: namedSchema.nullish(),
})

/** As the Responses API says it: the schema beside the type. */
export const textFormatSchema = namedSchema.extend({ type: z.enum(['text', 'json_object', 'json_schema']) })

/** The same as a setting of a model call. */
export function toOutputFormat(
  type: 'text' | 'json_object' | 'json_schema' | undefined,
  named: z.infer<typeof namedSchema> | null | undefined,
): ModelSettings {
  if (type === 'json_object') return { output: 'json' }
  if (type !== 'json_schema' || named?.schema == null) return {}
  // Any object may stand for a JSON Schema; the provider says what it cannot use.
  return { output: { name: named.name ?? 'answer', schema: named.schema } }
}

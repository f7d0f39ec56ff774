import * as z from 'zod'
import { textFormatSchema } from '../chat/response-format.ts'

const LABEL = 512

/** Fields of a request that its response repeats. */
const givenFieldsSchema = z.object({
  background: z.boolean().nullish(),
  conversation: z.object({ id: z.string() }).nullish(),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  metadata: z.record(z.string().max(LABEL), z.string().max(LABEL)).nullish(),
  previous_response_id: z.string().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  text: z.looseObject({ format: textFormatSchema.nullish() }).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
})

/** Fields of a request that its response repeats. A field that the request omits is absent. */
export type GivenFields = Readonly<z.infer<typeof givenFieldsSchema>>

/**
 * Checks a stored value and returns it as the request fields that a response repeats. `undefined` if the value does not
 * match the schema.
 */
export function readGivenFields(value: unknown): GivenFields | undefined {
  const parsed = givenFieldsSchema.safeParse(value)
  if (!parsed.success) return undefined
  return Object.fromEntries(Object.entries(parsed.data).filter(([, field]) => field !== null && field !== undefined))
}

/** Fields of a request that its response repeats, for the schema of requests. */
export const givenFields = givenFieldsSchema.shape

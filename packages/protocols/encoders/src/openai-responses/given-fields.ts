import * as z from 'zod'
import { textFormatSchema } from '../chat/response-format.ts'

const LABEL = 512

/** What a request says that its response gives back. */
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

/** What a response gives back of its request; fields the request left out are absent. */
export type GivenFields = Readonly<z.infer<typeof givenFieldsSchema>>

/** The fields that belong into a response; undefined for a value that does not hold them. */
export function readGivenFields(value: unknown): GivenFields | undefined {
  const parsed = givenFieldsSchema.safeParse(value)
  if (!parsed.success) return undefined
  return Object.fromEntries(Object.entries(parsed.data).filter(([, field]) => field !== null && field !== undefined))
}

/** For the schema of requests. */
export const givenFields = givenFieldsSchema.shape

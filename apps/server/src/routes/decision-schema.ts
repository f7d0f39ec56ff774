import * as z from 'zod'

/** What a person decides about a call that waits for approval. */
export const decisionSchema = z.strictObject({
  approve: z.boolean(),
  /** Told to the model when the call is refused. */
  reason: z.string().max(10_000).nullish(),
  stream: z.boolean().default(true),
  background: z.boolean().default(false),
})

import * as z from 'zod'

/** What a tool call wants taken out of what the model is sent; carried out once all calls of the answer have results. */
export const contextEditSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('trim'),
    /** About how many, from the newest step back. */
    tokens: z.int().min(1),
    /** Stands in the place of what is taken out. */
    memo: z.string().optional(),
  }),
  z.object({
    type: z.literal('revert'),
    /** The last step that stays; 0 is the beginning of the run. */
    step: z.int().min(0),
    /** Why: which label the summary has, and how long it stays. */
    category: z.enum(['failure', 'tangent', 'completion', 'step-summary']),
    /** Stands in the place of what is taken out. */
    summary: z.string().optional(),
  }),
])
export type ContextEdit = z.infer<typeof contextEditSchema>

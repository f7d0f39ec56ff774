import * as z from 'zod'

/** An edit of what the model is sent, requested by a tool call. It is applied after all calls of the answer have results. */
export const contextEditSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('trim'),
    /** Approximate number of tokens to remove, from the newest step backwards. */
    tokens: z.int().min(1),
    /** Replaces what is removed. @default nothing */
    memo: z.string().optional(),
  }),
  z.object({
    type: z.literal('revert'),
    /** Number of the last step that stays. 0 removes all steps of the run. */
    step: z.int().min(0),
    /** Reason for the edit. It decides the label of the summary, and how long the summary stays. */
    category: z.enum(['failure', 'tangent', 'completion', 'step-summary']),
    /** Replaces what is removed. @default nothing */
    summary: z.string().optional(),
  }),
])
/** An edit of what the model is sent, requested by a tool call. */
export type ContextEdit = z.infer<typeof contextEditSchema>

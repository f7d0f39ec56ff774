import * as z from 'zod'

/**
 * A request of a tool call to remove steps from what is sent to the model. It is applied after all calls of the answer
 * have results.
 */
export const contextEditSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('trim'),
    /** Approximate number of tokens to remove. Steps are removed from the newest to the oldest. */
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
/** A request of a tool call to remove steps from what is sent to the model. */
export type ContextEdit =
  | {
      type: 'trim'
      /** Approximate number of tokens to remove. Steps are removed from the newest to the oldest. */
      tokens: number
      /** Replaces what is removed. @default nothing */
      memo?: string | undefined
    }
  | {
      type: 'revert'
      /** Number of the last step that stays. 0 removes all steps of the run. */
      step: number
      /** Reason for the edit. It decides the label of the summary, and how long the summary stays. */
      category: 'failure' | 'tangent' | 'completion' | 'step-summary'
      /** Replaces what is removed. @default nothing */
      summary?: string | undefined
    }

import * as z from 'zod'
import { approvalDecisionSchema, principalSchema } from './approval.ts'
import { userMessageSchema } from './message.ts'
import { cancelReasonSchema } from './outcome.ts'

/** What somebody wants of a run that another process may drive. */
export const runCommandSchema = z.discriminatedUnion('type', [
  /** A word to put in: at the next boundary, or when the run would otherwise end. */
  z.object({ type: z.literal('message'), kind: z.enum(['steering', 'follow-up']), message: userMessageSchema }),
  z.object({ type: z.literal('cancel'), reason: cancelReasonSchema }),
  z.object({
    type: z.literal('decide'),
    approvalId: z.string(),
    decision: approvalDecisionSchema,
    by: principalSchema.optional(),
  }),
])
export type RunCommand = z.infer<typeof runCommandSchema>

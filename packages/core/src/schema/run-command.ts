import * as z from 'zod'
import { approvalDecisionSchema, principalSchema } from './approval.ts'
import { userMessageSchema } from './message.ts'
import { cancelReasonSchema } from './outcome.ts'

/** A command for a run that another process may drive. */
export const runCommandSchema = z.discriminatedUnion('type', [
  /** Adds a user message: `steering` before the next model call, `follow-up` when the run would otherwise end. */
  z.object({ type: z.literal('message'), kind: z.enum(['steering', 'follow-up']), message: userMessageSchema }),
  z.object({ type: z.literal('cancel'), reason: cancelReasonSchema }),
  z.object({
    type: z.literal('decide'),
    approvalId: z.string(),
    decision: approvalDecisionSchema,
    by: principalSchema.optional(),
  }),
])
/** A command for a run that another process may drive. */
export type RunCommand = z.infer<typeof runCommandSchema>

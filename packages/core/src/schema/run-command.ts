import * as z from 'zod'
import { approvalDecisionSchema, principalSchema, type ApprovalDecision, type Principal } from './approval.ts'
import { submissionSchema, type Submission } from './client-call.ts'
import { userMessageSchema, type UserMessage } from './message.ts'
import { cancelReasonSchema, type CancelReason } from './outcome.ts'

/** A command for a run that another process may drive. */
export const runCommandSchema = z.discriminatedUnion('type', [
  /** Adds a user message: `steering` before the next model call, `follow-up` when the run would otherwise end. */
  z.object({ type: z.literal('message'), kind: z.enum(['steering', 'follow-up']), message: userMessageSchema }),
  z.object({ type: z.literal('cancel'), reason: cancelReasonSchema }),
  z.object({
    type: z.literal('decide'),
    /** Id of the approval request, or of the call that waits for the client. */
    approvalId: z.string(),
    decision: z.union([approvalDecisionSchema, submissionSchema]),
    by: principalSchema.optional(),
  }),
])
/** A command for a run that another process may drive. */
export type RunCommand =
  /** Adds a user message: `steering` before the next model call, `follow-up` when the run would otherwise end. */
  | { type: 'message'; kind: 'steering' | 'follow-up'; message: UserMessage }
  | { type: 'cancel'; reason: CancelReason }
  | {
      type: 'decide'
      /** Id of the approval request, or of the call that waits for the client. */
      approvalId: string
      decision: ApprovalDecision | Submission
      by?: Principal | undefined
    }

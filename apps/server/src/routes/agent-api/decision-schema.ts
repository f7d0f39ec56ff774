import type { ApprovalDecision } from '@parley/core'
import * as z from 'zod'

/** The decision goes to approvers with one of these roles, or an agent continues the run instead of the call. */
const escalationSchema = z.union([
  z.strictObject({ roles: z.array(z.string().min(1)).min(1), prompt: z.string().max(10_000).optional() }),
  z.strictObject({ agent: z.string().min(1), task: z.string().max(100_000).optional() }),
])

/** A decision about a tool call that is suspended for approval. */
export const decisionSchema = z
  .strictObject({
    approve: z.boolean().optional(),
    /** Sent to the model if the call is rejected. */
    reason: z.string().max(10_000).nullish(),
    escalate: escalationSchema.optional(),
    stream: z.boolean().default(true),
    background: z.boolean().default(false),
  })
  .refine(({ approve, escalate }) => (approve === undefined) !== (escalate === undefined), {
    message: 'must have either approve or escalate',
  })

/** Converts the body of a request to a decision. */
export function decisionOf({ approve, reason, escalate }: z.infer<typeof decisionSchema>): ApprovalDecision {
  if (escalate !== undefined) return { type: 'escalated', ...escalate }
  return approve === true ? { type: 'approved' } : { type: 'rejected', reason: reason ?? 'The user refused.' }
}

import type { ApprovalDecision } from '@parley/core'
import * as z from 'zod'

/** Whom the decision is passed on to: people, or an agent that goes on in the place of the call. */
const escalationSchema = z.union([
  z.strictObject({ roles: z.array(z.string().min(1)).min(1), prompt: z.string().max(10_000).optional() }),
  z.strictObject({ agent: z.string().min(1), task: z.string().max(100_000).optional() }),
])

/** What a person decides about a call that waits for approval. */
export const decisionSchema = z
  .strictObject({
    approve: z.boolean().optional(),
    /** Told to the model when the call is refused. */
    reason: z.string().max(10_000).nullish(),
    escalate: escalationSchema.optional(),
    stream: z.boolean().default(true),
    background: z.boolean().default(false),
  })
  .refine(({ approve, escalate }) => (approve === undefined) !== (escalate === undefined), {
    message: 'must have either approve or escalate',
  })

/** The decision a request says. */
export function decisionOf({ approve, reason, escalate }: z.infer<typeof decisionSchema>): ApprovalDecision {
  if (escalate !== undefined) return { type: 'escalated', ...escalate }
  return approve === true ? { type: 'approved' } : { type: 'rejected', reason: reason ?? 'The user refused.' }
}

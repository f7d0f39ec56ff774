import * as z from 'zod'

/** A tool call of a Parley server that is suspended for approval. */
const pendingApprovalSchema = z.object({
  approvalId: z.string().min(1),
  callId: z.string(),
  name: z.string(),
  /** The arguments of the call. */
  input: z.json(),
  /** The question to the approver. */
  prompt: z.string(),
  /** Roles of which the approver must have one. @default any approver */
  roles: z.array(z.string()).optional(),
})
export type PendingApproval = z.infer<typeof pendingApprovalSchema>

/** The list of what a response waits for. */
export const pendingApprovalsSchema = z.object({ data: z.array(pendingApprovalSchema) })

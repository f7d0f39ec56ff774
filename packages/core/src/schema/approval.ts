import * as z from 'zod'
import { jsonSchema } from './json.ts'

/** Who acts: started a run, or decided about an approval. */
export const principalSchema = z.object({ id: z.string(), roles: z.array(z.string()) })
export type Principal = z.infer<typeof principalSchema>

/** A tool call that waits for a person. Bound to the call and to this very input. */
export const approvalRequestSchema = z.object({
  approvalId: z.string(),
  /** The run whose call it is, where that is a sub-agent's and not the one that tells of it. */
  runId: z.string().optional(),
  callId: z.string(),
  name: z.string(),
  /** What the handler will receive if it is approved. */
  input: jsonSchema,
  /** What the person is asked. */
  prompt: z.string(),
  /** Who may decide: a principal with one of these roles; anybody when absent. */
  roles: z.array(z.string()).optional(),
  /** How long there is to decide; forever when absent. */
  expiresInMs: z.number().optional(),
  /** When the request times out, ms since the epoch; never when absent. */
  expiresAt: z.int().optional(),
})
export type ApprovalRequest = z.infer<typeof approvalRequestSchema>

const decisions = z.discriminatedUnion('type', [
  /** Runs the call once, with the input that was shown. */
  z.object({ type: z.literal('approved') }),
  /** The model is told the reason. */
  z.object({ type: z.literal('rejected'), reason: z.string() }),
  /** Runs the call once with another input, after validating it. */
  z.object({ type: z.literal('modified'), input: jsonSchema }),
  /** Asks again, others. */
  z.strictObject({ type: z.literal('escalated'), roles: z.array(z.string()), prompt: z.string().optional() }),
  /** Nobody decided in time. */
  z.object({ type: z.literal('timed-out') }),
])

/** Does not run the call: another agent goes on with the run, and `task` joins as a user message. */
const escalatedToAgent = z.strictObject({
  type: z.literal('escalated'),
  /** One of the asking agent's `handoffs`, or one the runtime knows; for a sub-agent's call one the runtime knows. */
  agent: z.string(),
  task: z.string().optional(),
})

export const approvalDecisionSchema = z.union([decisions, escalatedToAgent])
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>

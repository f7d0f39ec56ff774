import * as z from 'zod'

/** Why something failed, for programs and for people. */
export const agentErrorSchema = z.object({ code: z.string(), message: z.string() })
export type AgentError = z.infer<typeof agentErrorSchema>

/** Where a response, a message or a part of its content stands. */
export const agentStatusSchema = z.enum([
  'created',
  'queued',
  'in_progress',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'incomplete',
  'unknown',
])
export type AgentStatus = z.infer<typeof agentStatusSchema>

/** What responses, messages and content have in common. */
export const eventFields = {
  /** Counts the events of a stream from 0; null in a value inside another one. */
  sequence_number: z.int().min(0).nullable().default(null),
  error: agentErrorSchema.nullable().default(null),
}

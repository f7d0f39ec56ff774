import * as z from 'zod'

/** The reason of a failure: a code for programs and a message for users. */
export const agentErrorSchema = z.object({ code: z.string(), message: z.string() })
export type AgentError = z.infer<typeof agentErrorSchema>

/** Status of a response, a message or a part of its content. */
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

/** Fields that responses, messages and content share. */
export const eventFields = {
  /** Number of the event in its stream, from 0. Null in a nested value. */
  sequence_number: z.int().min(0).nullable().default(null),
  error: agentErrorSchema.nullable().default(null),
}

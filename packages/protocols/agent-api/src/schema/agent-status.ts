import * as z from 'zod'

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

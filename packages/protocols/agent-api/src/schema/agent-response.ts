import * as z from 'zod'
import { agentMessageSchema } from './agent-message.ts'
import { agentStatusSchema, eventFields } from './event-fields.ts'
import { jsonObjectSchema } from './json-object.ts'

const epochSeconds = z.int().min(0)

/** The response to one request. */
export const agentResponseSchema = z.object({
  ...eventFields,
  object: z.literal('response'),
  status: agentStatusSchema,
  id: z.string().min(1),
  created_at: epochSeconds,
  completed_at: epochSeconds.nullable().default(null),
  /** The messages, in the order in which they ended. Null before the end of the response. */
  output: z.array(agentMessageSchema).nullable().default(null),
  usage: jsonObjectSchema.nullable().default(null),
  session_id: z.string().nullable().default(null),
})
export type AgentResponse = z.infer<typeof agentResponseSchema>

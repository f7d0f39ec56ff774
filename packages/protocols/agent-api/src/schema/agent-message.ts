import * as z from 'zod'
import { agentContentSchema } from './agent-content.ts'
import { agentStatusSchema, eventFields } from './event-fields.ts'
import { jsonObjectSchema } from './json-object.ts'

/** Role of the author of a message. */
export const agentRoleSchema = z.enum(['assistant', 'user', 'system', 'tool'])
export type AgentRole = z.infer<typeof agentRoleSchema>

/** Message types of the protocol. Treat an unknown type as `message`. */
export const messageTypeSchema = z.enum([
  'message',
  'function_call',
  'function_call_output',
  'plugin_call',
  'plugin_call_output',
  'component_call',
  'component_call_output',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_call',
  'mcp_approval_response',
  'mcp_call_output',
  'reasoning',
  'heartbeat',
  'error',
  'a2ui_response',
  'a2ui_action',
])
export type MessageType = z.infer<typeof messageTypeSchema>

/** A message as it is sent: every field is present, unset ones are null. */
export const agentMessageSchema = z.object({
  ...eventFields,
  object: z.literal('message'),
  status: agentStatusSchema,
  id: z.string(),
  /** A `MessageType` or a custom type. */
  type: z.string(),
  role: agentRoleSchema.nullable().default(null),
  content: z.array(agentContentSchema).nullable().default(null),
  /** Error code of a message of type `error`. The field `message` contains the text of the error. */
  code: z.string().nullable().default(null),
  message: z.string().nullable().default(null),
  usage: jsonObjectSchema.nullable().default(null),
  metadata: jsonObjectSchema.nullable().default(null),
})
export type AgentMessage = z.infer<typeof agentMessageSchema>

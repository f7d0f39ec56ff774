import * as z from 'zod'
import { agentContentSchema } from './agent-content.ts'
import { agentErrorSchema } from './event-fields.ts'
import { agentMessageSchema } from './agent-message.ts'
import { agentResponseSchema } from './agent-response.ts'

const nothing = z.null().default(null)
const noOutput = z.array(agentMessageSchema).max(0).nullable().default(null)
const running = { error: nothing, completed_at: nothing, output: noOutput }

const responseRunning = agentResponseSchema.extend({
  status: z.enum(['created', 'queued', 'in_progress']),
  ...running,
})
const responseCompleted = agentResponseSchema.extend({
  status: z.literal('completed'),
  error: nothing,
  completed_at: z.int().min(0),
  output: z.array(agentMessageSchema),
})
const responseFailed = agentResponseSchema.extend({ status: z.enum(['failed', 'rejected']), error: agentErrorSchema })
const responseCut = agentResponseSchema.extend({ status: z.enum(['canceled', 'incomplete']) })

/** A response event. `status` determines its schema. */
export const responseEventSchema = z.discriminatedUnion('status', [
  responseRunning,
  responseCompleted,
  responseFailed,
  responseCut,
])
export type ResponseEvent = z.infer<typeof responseEventSchema>

const messageRunning = agentMessageSchema.extend({ status: z.enum(['created', 'in_progress']) })
const messageCompleted = agentMessageSchema.extend({ status: z.literal('completed'), error: nothing })
const messageFailed = agentMessageSchema.extend({ status: z.literal('failed'), error: agentErrorSchema })
const messageCut = agentMessageSchema.extend({ status: z.enum(['canceled', 'rejected', 'incomplete']) })

/** A message event. `status` determines its schema. */
export const messageEventSchema = z.discriminatedUnion('status', [
  messageRunning,
  messageCompleted,
  messageFailed,
  messageCut,
])
export type MessageEvent = z.infer<typeof messageEventSchema>

const address = { msg_id: z.string().min(1), index: z.int().min(0) }

/** A delta. The client appends it to the part so far. */
export const contentDeltaSchema = agentContentSchema.and(
  z.object({ ...address, status: z.literal('in_progress'), delta: z.literal(true) }),
)
/** A snapshot. It replaces the part so far. */
export const contentSnapshotSchema = agentContentSchema.and(
  z.object({ ...address, status: z.enum(['created', 'in_progress']), delta: z.literal(false) }),
)
/** The end of a part, with its final value. */
export const contentEndSchema = agentContentSchema.and(
  z.object({
    ...address,
    status: z.enum(['completed', 'failed', 'canceled', 'rejected', 'incomplete']),
    delta: z.literal(false),
  }),
)

/** A content event. `status` and `delta` determine its schema, `type` the fields of its value. */
export const contentEventSchema = z.union([contentDeltaSchema, contentSnapshotSchema, contentEndSchema])
export type ContentEvent = z.infer<typeof contentEventSchema>

/** An event of a stream. `object` and `status` determine its schema. */
export const agentEventSchema = z.union([responseEventSchema, messageEventSchema, contentEventSchema])
export type AgentEvent = z.infer<typeof agentEventSchema>

import * as z from 'zod'
import { assistantPartSchema, toolResultPartSchema, userPartSchema } from './content.ts'
import { jsonSchema } from './json.ts'

/** Why a model stopped. `error` and `other` are answers whose cause the provider did not name. */
export const finishReasonSchema = z.enum([
  'stop',
  'length',
  'tool-calls',
  'content-filter',
  'refusal',
  'pause',
  'error',
  'other',
])
export type FinishReason = z.infer<typeof finishReasonSchema>

/** An instruction in the middle of a conversation. The agent's own instructions are not messages. */
export const systemMessageSchema = z.object({ role: z.literal('system'), content: z.string() })
export type SystemMessage = z.infer<typeof systemMessageSchema>

export const userMessageSchema = z.object({ role: z.literal('user'), content: z.array(userPartSchema) })
export type UserMessage = z.infer<typeof userMessageSchema>

export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.array(assistantPartSchema),
  finish: finishReasonSchema.optional(),
  /** `provider/id` of the model that wrote it; absent for messages a user supplied. */
  model: z.string().optional(),
})
export type AssistantMessage = z.infer<typeof assistantMessageSchema>

/** The one result of one tool call. */
export const toolMessageSchema = z.object({
  role: z.literal('tool'),
  callId: z.string(),
  name: z.string(),
  content: z.array(toolResultPartSchema),
  isError: z.boolean().optional(),
  /** The result as data, when the tool gave some beside the content. */
  structured: jsonSchema.optional(),
})
export type ToolMessage = z.infer<typeof toolMessageSchema>

export const messageSchema = z.discriminatedUnion('role', [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
])
export type Message = z.infer<typeof messageSchema>

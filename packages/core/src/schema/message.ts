import * as z from 'zod'
import { assistantPartSchema, toolResultPartSchema, userPartSchema } from './content.ts'
import { jsonSchema } from './json.ts'

/** Why a model stopped. With `error` and `other`, the provider gave no known reason. */
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
/** Why a model stopped. */
export type FinishReason = z.infer<typeof finishReasonSchema>

/** An instruction within a conversation. The agent's own instructions are not messages. */
export const systemMessageSchema = z.object({ role: z.literal('system'), content: z.string() })
/** An instruction within a conversation. */
export type SystemMessage = z.infer<typeof systemMessageSchema>

/** A message of the user. */
export const userMessageSchema = z.object({ role: z.literal('user'), content: z.array(userPartSchema) })
/** A message of the user. */
export type UserMessage = z.infer<typeof userMessageSchema>

/** A model's answer. */
export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  content: z.array(assistantPartSchema),
  /** Why the model stopped. Absent in messages that a user supplied. */
  finish: finishReasonSchema.optional(),
  /** `provider/id` of the model that wrote the answer. Absent in messages that a user supplied. */
  model: z.string().optional(),
})
/** A model's answer. */
export type AssistantMessage = z.infer<typeof assistantMessageSchema>

/** The result of a tool call. Each call has exactly one. */
export const toolMessageSchema = z.object({
  role: z.literal('tool'),
  callId: z.string(),
  name: z.string(),
  content: z.array(toolResultPartSchema),
  isError: z.boolean().optional(),
  /** The result as data, if the tool returned data. */
  structured: jsonSchema.optional(),
})
/** The result of a tool call. */
export type ToolMessage = z.infer<typeof toolMessageSchema>

/** A message of a conversation. */
export const messageSchema = z.discriminatedUnion('role', [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
])
/** A message of a conversation. */
export type Message = z.infer<typeof messageSchema>

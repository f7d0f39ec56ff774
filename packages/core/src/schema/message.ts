import * as z from 'zod'
import {
  assistantPartSchema,
  toolResultPartSchema,
  userPartSchema,
  type AssistantPart,
  type ToolResultPart,
  type UserPart,
} from './content.ts'
import { jsonSchema, type Json } from './json.ts'

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
export type FinishReason = 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'refusal' | 'pause' | 'error' | 'other'

/** An instruction within a conversation. The agent's own instructions are not messages. */
export const systemMessageSchema = z.object({ role: z.literal('system'), content: z.string() })
/** An instruction within a conversation. */
export interface SystemMessage {
  role: 'system'
  content: string
}

/** A message of the user. */
export const userMessageSchema = z.object({ role: z.literal('user'), content: z.array(userPartSchema) })
/** A message of the user. */
export interface UserMessage {
  role: 'user'
  content: UserPart[]
}

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
export interface AssistantMessage {
  role: 'assistant'
  content: AssistantPart[]
  /** Why the model stopped. Absent in messages that a user supplied. */
  finish?: FinishReason | undefined
  /** `provider/id` of the model that wrote the answer. Absent in messages that a user supplied. */
  model?: string | undefined
}

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
export interface ToolMessage {
  role: 'tool'
  callId: string
  name: string
  content: ToolResultPart[]
  isError?: boolean | undefined
  /** The result as data: of a tool with an `output` schema, or the second argument of `toolOk`. */
  structured?: Json | undefined
}

/** A message of a conversation. */
export const messageSchema = z.discriminatedUnion('role', [
  systemMessageSchema,
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
])
/** A message of a conversation. */
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage

import * as z from 'zod'
import { jsonSchema } from './json.ts'

/**
 * What a provider wants back unchanged with a part (signatures, encrypted reasoning, item ids).
 * Stored verbatim and sent only to the provider that wrote it.
 */
export const providerDataSchema = z.object({
  /** `Model.provider` of the writer. */
  provider: z.string(),
  data: jsonSchema,
})
export type ProviderData = z.infer<typeof providerDataSchema>

export const textPartSchema = z.object({
  type: z.literal('text'),
  text: z.string(),
  providerData: providerDataSchema.optional(),
})
export type TextPart = z.infer<typeof textPartSchema>

/** An image, audio, video or document, by value or by address. */
export const filePartSchema = z.object({
  type: z.literal('file'),
  /** IANA media type; `image/*` when only the family is known. */
  mediaType: z.string(),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('base64'), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string() }),
  ]),
  name: z.string().optional(),
  providerData: providerDataSchema.optional(),
})
export type FilePart = z.infer<typeof filePartSchema>

/** What the model thought before it answered. The text may be empty when only `providerData` was given. */
export const reasoningPartSchema = z.object({
  type: z.literal('reasoning'),
  text: z.string(),
  providerData: providerDataSchema.optional(),
})
export type ReasoningPart = z.infer<typeof reasoningPartSchema>

/** A model's request to run a tool. */
export const toolCallPartSchema = z.object({
  type: z.literal('tool-call'),
  /** Unique within the run; the result carries the same one. */
  callId: z.string(),
  name: z.string(),
  /** The arguments as the model wrote them: JSON text, kept byte for byte (it may be malformed). */
  arguments: z.string(),
  providerData: providerDataSchema.optional(),
})
export type ToolCallPart = z.infer<typeof toolCallPartSchema>

/** Something only its provider understands (a server-side tool's block, say), kept for replay. */
export const opaquePartSchema = z.object({
  type: z.literal('opaque'),
  providerData: providerDataSchema,
})
export type OpaquePart = z.infer<typeof opaquePartSchema>

export const userPartSchema = z.discriminatedUnion('type', [textPartSchema, filePartSchema])
export type UserPart = z.infer<typeof userPartSchema>

export const assistantPartSchema = z.discriminatedUnion('type', [
  textPartSchema,
  reasoningPartSchema,
  toolCallPartSchema,
  filePartSchema,
  opaquePartSchema,
])
export type AssistantPart = z.infer<typeof assistantPartSchema>

export const toolResultPartSchema = z.discriminatedUnion('type', [textPartSchema, filePartSchema])
export type ToolResultPart = z.infer<typeof toolResultPartSchema>

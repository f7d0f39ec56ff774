import * as z from 'zod'
import { jsonSchema, type Json } from './json.ts'

/**
 * Data that a provider needs back unchanged with a part (signatures, encrypted reasoning, item ids). It is stored verbatim and
 * sent only to the provider that wrote it.
 */
export const providerDataSchema = z.object({
  /** `Model.provider` of the model that wrote the data. */
  provider: z.string(),
  data: jsonSchema,
})
/** Data that a provider needs back unchanged with a part. */
export interface ProviderData {
  /** `Model.provider` of the model that wrote the data. */
  provider: string
  data: Json
}

/** A text. */
export const textPartSchema = z.object({
  type: z.literal('text'),
  text: z.string(),
  providerData: providerDataSchema.optional(),
})
/** A text. */
export interface TextPart {
  type: 'text'
  text: string
  providerData?: ProviderData | undefined
}

/** An image, audio, video or document, as data or as an address. */
export const filePartSchema = z.object({
  type: z.literal('file'),
  /** IANA media type. `image/*` if only the family is known. */
  mediaType: z.string(),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('base64'), data: z.string() }),
    z.object({ type: z.literal('url'), url: z.string() }),
  ]),
  name: z.string().optional(),
  providerData: providerDataSchema.optional(),
})
/** An image, audio, video or document, as data or as an address. */
export interface FilePart {
  type: 'file'
  /** IANA media type. `image/*` if only the family is known. */
  mediaType: string
  source: { type: 'base64'; data: string } | { type: 'url'; url: string }
  name?: string | undefined
  providerData?: ProviderData | undefined
}

/** Reasoning of the model. The text is empty if the provider gave only `providerData`. */
export const reasoningPartSchema = z.object({
  type: z.literal('reasoning'),
  text: z.string(),
  providerData: providerDataSchema.optional(),
})
/** Reasoning of the model. */
export interface ReasoningPart {
  type: 'reasoning'
  text: string
  providerData?: ProviderData | undefined
}

/** A model's request to call a tool. */
export const toolCallPartSchema = z.object({
  type: z.literal('tool-call'),
  /** Id of the call, unique within the run. Its result has the same id. */
  callId: z.string(),
  name: z.string(),
  /** JSON text of the arguments, byte for byte as the model wrote it. It may be malformed. */
  arguments: z.string(),
  /** Present if the client executes the call. */
  execution: z.literal('client').optional(),
  providerData: providerDataSchema.optional(),
})
/** A model's request to call a tool. */
export interface ToolCallPart {
  type: 'tool-call'
  /** Id of the call, unique within the run. Its result has the same id. */
  callId: string
  name: string
  /** JSON text of the arguments, byte for byte as the model wrote it. It may be malformed. */
  arguments: string
  /** Present if the client executes the call. */
  execution?: 'client' | undefined
  providerData?: ProviderData | undefined
}

/** A block that only its provider understands, for example of a server-side tool. It is sent back to that provider. */
export const opaquePartSchema = z.object({
  type: z.literal('opaque'),
  providerData: providerDataSchema,
})
/** A block that only its provider understands. */
export interface OpaquePart {
  type: 'opaque'
  providerData: ProviderData
}

/** A part of a user message. */
export const userPartSchema = z.discriminatedUnion('type', [textPartSchema, filePartSchema])
/** A part of a user message. */
export type UserPart = TextPart | FilePart

/** A part of a model's answer. */
export const assistantPartSchema = z.discriminatedUnion('type', [
  textPartSchema,
  reasoningPartSchema,
  toolCallPartSchema,
  filePartSchema,
  opaquePartSchema,
])
/** A part of a model's answer. */
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart | FilePart | OpaquePart

/** A part of a tool result. */
export const toolResultPartSchema = z.discriminatedUnion('type', [textPartSchema, filePartSchema])
/** A part of a tool result. */
export type ToolResultPart = TextPart | FilePart

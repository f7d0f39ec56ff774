import type { Json } from '@parley/core'

/** The role of a message. */
export type PromptyRole = 'system' | 'user' | 'assistant' | 'developer' | 'tool'

/** A message of a prompt. */
export interface PromptyMessage {
  readonly role: PromptyRole
  readonly content: readonly PromptyPart[]
  /**
   * Attributes of the role marker. An assistant message may have `tool_calls` in OpenAI's form, and a tool message has
   * `tool_call_id`.
   */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}

/** A part of a message. */
export type PromptyPart =
  | { readonly kind: 'text'; readonly value: string }
  /** `value` is a URL, or the bytes in base64. */
  | { readonly kind: 'image' | 'file' | 'audio'; readonly value: string; readonly mediaType?: string | undefined }

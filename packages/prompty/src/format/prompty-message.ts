import type { Json } from '@parley/core'

export type PromptyRole = 'system' | 'user' | 'assistant' | 'developer' | 'tool'

/** A message as a prompt makes it. */
export interface PromptyMessage {
  readonly role: PromptyRole
  readonly content: readonly PromptyPart[]
  /**
   * Attributes of the role marker. Of an assistant message, `tool_calls` in OpenAI's form; of a tool message,
   * `tool_call_id`.
   */
  readonly metadata?: Readonly<Record<string, Json>> | undefined
}

export type PromptyPart =
  | { readonly kind: 'text'; readonly value: string }
  /** `value` is an address, or the bytes as base64. */
  | { readonly kind: 'image' | 'file' | 'audio'; readonly value: string; readonly mediaType?: string | undefined }

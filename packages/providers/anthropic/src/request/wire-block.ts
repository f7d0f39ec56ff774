import { encodeJson } from '@parley/provider-kit'

/** A content block of a request, as JSON. */
export interface WireBlock {
  /** The block as JSON text. */
  readonly json: string
  /** Whether the API accepts a cache mark on this block. */
  readonly cacheable: boolean
  /** The text of a text block, used to trim the end of a request. */
  readonly text?: string | undefined
}

/** Encodes a block that may have a cache mark. */
export function wireBlock(fields: Readonly<Record<string, unknown>>): WireBlock {
  return { json: encodeJson(fields), cacheable: true }
}

/** Encodes a text block; `undefined` for blank text, which the API rejects. */
export function textBlock(text: string, more: Readonly<Record<string, unknown>> = {}): WireBlock | undefined {
  return text.trim() === '' ? undefined : { ...wireBlock({ type: 'text', text, ...more }), text }
}

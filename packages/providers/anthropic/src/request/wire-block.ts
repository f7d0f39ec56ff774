import { encodeJson } from '@parley/provider-kit'

/** A content block on the wire. */
export interface WireBlock {
  readonly json: string
  /** Whether it may bear a cache mark. */
  readonly cacheable: boolean
  /** Set for text: the end of a request must not be blank. */
  readonly text?: string | undefined
}

/** A block that may bear a cache mark. */
export function wireBlock(fields: Readonly<Record<string, unknown>>): WireBlock {
  return { json: encodeJson(fields), cacheable: true }
}

/** A block of text. The API refuses blank ones. */
export function textBlock(text: string, more: Readonly<Record<string, unknown>> = {}): WireBlock | undefined {
  return text.trim() === '' ? undefined : { ...wireBlock({ type: 'text', text, ...more }), text }
}

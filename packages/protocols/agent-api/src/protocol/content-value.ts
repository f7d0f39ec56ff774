import type { AgentContent, ContentType } from '../schema/agent-content.ts'

/** The fields that hold the value of a part, by content type. */
interface ContentValues {
  readonly text: { readonly text: string }
  readonly data: { readonly data: Readonly<Record<string, unknown>> }
  readonly image: { readonly image_url: string }
  readonly audio: { readonly data: string; readonly format?: string | null }
  readonly file: {
    readonly file_url?: string | null
    readonly file_id?: string | null
    readonly filename?: string | null
    readonly file_data?: string | null
  }
  readonly refusal: { readonly refusal: string }
  readonly video: { readonly video_url: string }
}

/** The value of a part of this type, with the field names of the protocol. */
export type ContentValue<TType extends ContentType = ContentType> = ContentValues[TType]

/** The names of the value fields, by content type. */
export const VALUE_FIELDS: Readonly<Record<ContentType, readonly string[]>> = {
  text: ['text'],
  data: ['data'],
  image: ['image_url'],
  audio: ['data', 'format'],
  file: ['file_url', 'file_id', 'filename', 'file_data'],
  refusal: ['refusal'],
  video: ['video_url'],
}

/** Picks every value field of this type. A missing field becomes null. */
export function wholeValue(type: ContentType, value: object): Record<string, unknown> {
  const given = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(VALUE_FIELDS[type].map(field => [field, given[field] ?? null]))
}

/** Picks the value fields of a part. */
export function valueOf(content: AgentContent): Record<string, unknown> {
  return wholeValue(content.type, content)
}

/** Whether any value field is set. */
export function hasValue(type: ContentType, value: object): boolean {
  const given = value as Readonly<Record<string, unknown>>
  return VALUE_FIELDS[type].some(field => given[field] !== null && given[field] !== undefined)
}

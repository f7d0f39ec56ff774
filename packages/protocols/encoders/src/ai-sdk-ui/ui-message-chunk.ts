/** A chunk of an AI SDK UI message stream. Other fields depend on the type. */
export interface UiMessageChunk {
  readonly type: string
  readonly [field: string]: unknown
}

/** A part of a message. Other fields depend on the type. */
export interface UiMessagePart {
  readonly type: string
  readonly [field: string]: unknown
}

/** A message of an AI SDK chat, the type `UIMessage` of the SDK. */
export interface UiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant'
  readonly parts: readonly UiMessagePart[]
}

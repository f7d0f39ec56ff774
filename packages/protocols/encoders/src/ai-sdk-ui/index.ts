export {
  createUiMessageEncoder,
  UI_MESSAGE_HEADERS,
  type UiMessageEncoderOptions,
} from './create-ui-message-encoder.ts'
export { parseUiMessageRequest, type UiMessageInput } from './parse-ui-message-request.ts'
export type { UiMessageChunk } from './ui-message-chunk.ts'
export { toResponse } from './to-response.ts'
export { toUiMessages, type UiMessagesOptions } from './to-ui-messages.ts'
export type { UiMessage, UiMessagePart } from './ui-message.ts'

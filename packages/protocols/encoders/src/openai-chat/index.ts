export { createChatEncoder, type ChatEncoderOptions } from './create-chat-encoder.ts'
export type { ChatChunk, ChatCompletion, ChatDelta, ChatFailure, ChatUsage } from './chat-chunk.ts'
export { parseChatRequest, type ChatInput } from './parse-chat-request.ts'
export { toChatCompletion } from './to-chat-completion.ts'

import type { RunEvent } from '@parley/core'
import { sseResponse } from '../kit/sse-response.ts'
import { createChatEncoder, type ChatEncoderOptions } from './create-chat-encoder.ts'

/**
 * Creates the HTTP response that streams a run to a client of chat completions. A failure of the run is in the stream. A client that leaves
 * does not stop the run.
 */
export function toResponse(run: AsyncIterable<RunEvent>, options: ChatEncoderOptions): Response {
  return sseResponse(run, createChatEncoder(options), { last: '[DONE]' })
}

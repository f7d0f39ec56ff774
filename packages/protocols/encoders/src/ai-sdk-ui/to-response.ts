import type { RunEvent } from '@parley/core'
import { sseResponse } from '../kit/sse-response.ts'
import {
  createUiMessageEncoder,
  UI_MESSAGE_HEADERS,
  type UiMessageEncoderOptions,
} from './create-ui-message-encoder.ts'

/**
 * Creates the HTTP response that streams a run to a chat of the AI SDK. A failure of the run is in the stream. A client that leaves
 * does not stop the run.
 */
export function toResponse(run: AsyncIterable<RunEvent>, options: UiMessageEncoderOptions = {}): Response {
  return sseResponse(run, createUiMessageEncoder(options), { headers: UI_MESSAGE_HEADERS, last: '[DONE]' })
}

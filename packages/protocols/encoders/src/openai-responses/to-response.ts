import type { RunEvent } from '@parley/core'
import { sseResponse } from '../kit/sse-response.ts'
import { createResponsesEncoder, type ResponsesEncoderOptions } from './create-responses-encoder.ts'

/**
 * Creates the HTTP response that streams a run to a client of the Responses API. A failure of the run is in the stream. A client that leaves
 * does not stop the run.
 */
export function toResponse(run: AsyncIterable<RunEvent>, options: ResponsesEncoderOptions): Response {
  return sseResponse(run, createResponsesEncoder(options), { fields: ({ type: name }) => ({ name }) })
}

import type { RunEvent } from '@parley/core'
import { sseResponse } from '../kit/sse-response.ts'
import { createAgUiEncoder, type AgUiEncoderOptions } from './create-ag-ui-encoder.ts'

/**
 * Creates the HTTP response that streams a run to a client of AG-UI. A failure of the run is in the stream. A client that leaves
 * does not stop the run.
 */
export function toResponse(run: AsyncIterable<RunEvent>, options: AgUiEncoderOptions = {}): Response {
  return sseResponse(run, createAgUiEncoder(options))
}

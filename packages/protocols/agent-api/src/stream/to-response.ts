import type { RunEvent } from '@parley/core'
import { SSE_HEADERS } from '@parley/encoders/kit'
import { agentApiStream, type AgentEncoderOptions } from '../encoder/create-agent-encoder.ts'
import { toSseStream } from './to-sse-stream.ts'

/**
 * Creates the HTTP response that streams a run to a client of the Agent API. A failure of the run is in its terminal event. A
 * client that leaves does not stop the run.
 */
export function toResponse(run: AsyncIterable<RunEvent>, options: AgentEncoderOptions = {}): Response {
  return new Response(toSseStream(agentApiStream(run, options)), { headers: SSE_HEADERS })
}

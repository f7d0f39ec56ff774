import type { AgentResponse } from '../schema/agent-response.ts'
import type { AgentError } from '../schema/event-fields.ts'
import type { AgentEvent } from '../schema/agent-event.ts'
import type { JsonObject } from '../schema/json-object.ts'

/** Code of a failure that concerns only the stream. The response may continue. */
const STREAM_ENDED = 'STREAM_ENDED'

/**
 * Creates the event that ends a stream before its response has ended: `failed`, with code `STREAM_ENDED` and without a
 * number. A client that receives it from a server can resume the stream after the last number.
 */
export function streamEndedEvent(response: AgentResponse, message: string): AgentEvent {
  const error: AgentError = { code: STREAM_ENDED, message }
  return { ...response, sequence_number: null, status: 'failed', error }
}

/** Reads the message of such an event. `undefined` for every other event. */
export function streamEndedMessage(event: Readonly<JsonObject>): string | undefined {
  const { object, sequence_number: number = null, error } = event
  if (object !== 'response' || number !== null || typeof error !== 'object' || error === null) return undefined
  const { code, message } = error as Partial<AgentError>
  return code === STREAM_ENDED ? String(message) : undefined
}

import { encodeLine } from '@parley/encoders/kit'
import type { AgentEvent } from '../schema/agent-event.ts'

/** Encodes an event as a server-sent event. Its number is the id, for resuming the stream. */
export function encodeSse(event: AgentEvent): string {
  const { sequence_number: number } = event
  return `${number === null ? '' : `id: ${number}\n`}data: ${encodeLine(event)}\n\n`
}

/** Encodes an event as one line of JSON. */
export function encodeNdjson(event: AgentEvent): string {
  return `${encodeLine(event)}\n`
}

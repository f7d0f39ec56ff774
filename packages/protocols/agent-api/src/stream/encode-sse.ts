import { encodeLine } from '@parley/encoders/kit'
import type { AgentEvent } from '../schema/agent-event.ts'

/** A comment that keeps a connection alive. It is not an event. */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n'

/** The HTTP headers of a response with server-sent events. */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** Encodes an event as a server-sent event. Its number is the id, for resuming the stream. */
export function encodeSse(event: AgentEvent): string {
  const { sequence_number: number } = event
  return `${number === null ? '' : `id: ${number}\n`}data: ${encodeLine(event)}\n\n`
}

/** Encodes an event as one line of JSON. */
export function encodeNdjson(event: AgentEvent): string {
  return `${encodeLine(event)}\n`
}

import type { AgentEvent } from '../schema/agent-event.ts'

// Some clients treat these characters as line ends.
const SEPARATORS = /[\u0085\u2028\u2029]/g

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
  return `${number === null ? '' : `id: ${number}\n`}data: ${encodeJson(event)}\n\n`
}

/** Encodes an event as one line of JSON. */
export function encodeNdjson(event: AgentEvent): string {
  return `${encodeJson(event)}\n`
}

function encodeJson(event: AgentEvent): string {
  return JSON.stringify(event).replace(
    SEPARATORS,
    separator => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

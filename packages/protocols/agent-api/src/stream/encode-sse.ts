import type { AgentEvent } from '../schema/agent-event.ts'

// Some clients break lines at these.
const SEPARATORS = /[\u0085\u2028\u2029]/g

/** A comment: keeps a connection alive and is no event. */
export const SSE_KEEP_ALIVE = ': keep-alive\n\n'

/** The headers of a response whose body is such events. */
export const SSE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** An event as one server-sent event, with its number as the id to resume after. */
export function encodeSse(event: AgentEvent): string {
  const { sequence_number: number } = event
  return `${number === null ? '' : `id: ${number}\n`}data: ${encodeJson(event)}\n\n`
}

/** An event as one line of JSON. */
export function encodeNdjson(event: AgentEvent): string {
  return `${encodeJson(event)}\n`
}

function encodeJson(event: AgentEvent): string {
  return JSON.stringify(event).replace(
    SEPARATORS,
    separator => `\\u${separator.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

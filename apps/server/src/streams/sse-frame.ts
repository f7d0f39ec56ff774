// JSON may contain these, but Python's `splitlines` and some SSE clients treat them as line ends.
const SEPARATORS = /[\u0085\u2028\u2029]/g

/** Encodes an event as one server-sent event. `name` becomes its `event` field, for protocols that use it. */
export function sseFrame(event: object, name?: string): string {
  const json = JSON.stringify(event).replace(
    SEPARATORS,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`
}

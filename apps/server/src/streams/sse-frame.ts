// Some clients break lines at these.
const SEPARATORS = /[\u0085\u2028\u2029]/g

/** An event as one server-sent event, with a name in protocols that give them one. */
export function sseFrame(event: object, name?: string): string {
  const json = JSON.stringify(event).replace(
    SEPARATORS,
    each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${json}\n\n`
}

import { ParleyError } from '@parley/core'

/** @throws ParleyError `config-invalid` naming the flag. */
export function toPort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new ParleyError({ code: 'config-invalid', path: '--port', detail: `'${text}' is no port; use 0 to 65535` })
}

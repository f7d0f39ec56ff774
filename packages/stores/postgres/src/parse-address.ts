import { ParleyError } from '@parley/core'

export interface Address {
  /** As given, password and all. */
  readonly url: string
  /** Host, port and database: what may be shown. */
  readonly name: string
}

/** @throws ParleyError `config-invalid`, which does not repeat the address: it may hold a password. */
export function parseAddress(url: string): Address {
  const parsed = URL.parse(url)
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    const detail = 'it is no address of the form postgres://user:password@host:port/database'
    throw new ParleyError({ code: 'config-invalid', path: 'url', detail })
  }
  const { hostname, port, pathname, searchParams } = parsed
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return { url, name: `${host}:${port === '' ? '5432' : port}${pathname}` }
}

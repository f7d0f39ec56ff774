import { ParleyError } from '@parley/core'

export interface Address {
  /** One for each server, as given, password and all. */
  readonly urls: readonly string[]
  /** Hosts, ports and database: what may be shown. */
  readonly name: string
}

/**
 * `postgres://user:password@host:port/database`, or several of `host:port` with commas between them.
 * @throws ParleyError `config-invalid`, which does not repeat the address: it may hold a password.
 */
export function parseAddress(url: string): Address {
  const [, before = '', hosts = '', after = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  const servers = hosts.split(',').map(host => parseServer(`${before}${host}${after}`))
  const [first] = servers
  const names = servers.map(({ host }) => host).join(',')
  return { urls: servers.map(server => server.url), name: `${names}${first?.database}` }
}

function parseServer(url: string) {
  const parsed = URL.parse(url)
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    const detail = 'it is no address of the form postgres://user:password@host:port/database'
    throw new ParleyError({ code: 'config-invalid', path: 'url', detail })
  }
  const { hostname, port, pathname, searchParams } = parsed
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return { url, host: `${host}:${port === '' ? '5432' : port}`, database: pathname }
}

import { ParleyError } from '@parley/core'

/** Servers of an address. One of them is the primary. */
export interface Servers {
  /** Hosts, ports and database, without user name and password. */
  readonly name: string
  /** Number of servers. */
  readonly count: number
  /** Returns the URL of the server to connect to. */
  url(): string
  /** Chooses the next server, unless another call has already left the server with this URL. */
  leave(url: string): void
}

/** Creates the servers of an address. @throws ParleyError `config-invalid` if the address is invalid. */
export function createServers(address: string): Servers {
  const { urls, name } = parseAddress(address)
  let at = 0
  const url = (): string => urls[at] ?? ''
  return {
    name,
    count: urls.length,
    url,
    leave(left) {
      if (left === url()) at = (at + 1) % urls.length
    },
  }
}

/** A parsed address. */
interface Address {
  /** One URL per server. They contain the password. */
  readonly urls: readonly string[]
  /** Hosts, ports and database, without user name and password. */
  readonly name: string
}

/**
 * Parses `postgres://user:password@host:port/database`, or the same with several `host:port` separated by commas.
 * @throws ParleyError `config-invalid`. The error does not contain the address, because it may contain a password.
 */
function parseAddress(url: string): Address {
  const [, before = '', hosts = '', after = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? []
  const servers = hosts.split(',').map(host => parseServer(`${before}${host}${after}`))
  const [first] = servers
  const names = servers.map(({ host }) => host).join(',')
  return { urls: servers.map(server => server.url), name: `${names}${first?.database}` }
}

function parseServer(url: string) {
  const parsed = URL.parse(url)
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    const detail = 'must be of the form postgres://user:password@host:port/database'
    throw new ParleyError({ code: 'config-invalid', path: 'url', detail })
  }
  const { hostname, port, pathname, searchParams } = parsed
  const host = searchParams.get('host') ?? (hostname === '' ? 'localhost' : hostname)
  return { url, host: `${host}:${port === '' ? '5432' : port}`, database: pathname }
}

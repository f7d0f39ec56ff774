import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { checkOptions, ParleyError, type OptionKinds } from '@parley/core'
import { hostOf, toHostRule } from './host-rule.ts'
import { isPublicAddress } from './is-public-address.ts'
import type { HostAddress, HostLookup, NetworkGuard } from './network-guard.ts'
import { failUrl, refuseUrl } from './refuse-url.ts'

export interface NetworkGuardOptions {
  /**
   * Addresses to allow although they are not on the public internet or use an unusual port: `localhost:3000`, `10.1.2.3`,
   * `wiki.internal`, `10.0.0.0/8`. An entry without a port allows all ports. A name listed here may resolve to any address.
   * @default []
   */
  readonly allow?: readonly string[] | undefined
  /**
   * Names (with their subdomains) and addresses that are never fetched: `tracker.example`, `203.0.113.7`. An entry holds for
   * every scheme and port, also if it names a port. An address also holds for the IPv6 addresses that lead to it, such as its
   * IPv4-mapped and NAT64 forms. An entry here outweighs `allow`. @default []
   */
  readonly deny?: readonly string[] | undefined
  /** Resolves names to addresses. @default the system's resolver */
  readonly lookup?: HostLookup | undefined
}

/** Names that are never public, whatever a name server answers. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa|onion)$/
/** Ports above 1023 of services other than web servers: the bad ports of the Fetch standard, and common defaults of databases and the like. */
const FOREIGN_PORTS = new Set([
  1719, 1720, 1723, 2049, 2375, 2376, 2379, 3306, 3389, 3659, 4045, 4190, 5060, 5061, 5432, 5900, 6000, 6379, 6443,
  6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 10250, 11211, 27017,
])

const OPTIONS: OptionKinds<NetworkGuardOptions> = {
  allow: 'strings',
  deny: 'strings',
  lookup: 'function',
}

/**
 * Creates a guard against server-side request forgery (SSRF), for everything that fetches addresses a model names. It allows
 * `http` and `https` to the public internet. It refuses private, local and special addresses in any spelling, and names that
 * resolve to one.
 * @throws ParleyError `config-invalid` if an entry of `allow` or `deny` is not a host, `host:port` or network.
 */
export function createNetworkGuard(options: NetworkGuardOptions = {}): NetworkGuard {
  checkOptions('createNetworkGuard', options, OPTIONS)
  const { allow = [], deny = [], lookup = lookupBySystem } = options
  const allowed = allow.map((entry, index) => toHostRule(entry, `allow.${index}`))
  const denied = deny.map((entry, index) => toHostRule(entry, `deny.${index}`))

  function isAllowed(url: URL, address?: string): boolean {
    const [host, port] = [hostOf(url), portOf(url)]
    return allowed.some(rule => rule.fits(host, port) || (address !== undefined && rule.fits(address, port)))
  }

  function judgeAddress(url: URL, address: string): void {
    if (denied.some(rule => rule.covers(address))) refuseUrl(url, 'forbidden', DENIED)
    if (!isPublicAddress(address) && !isAllowed(url, address)) refuseUrl(url, 'forbidden', PRIVATE)
  }

  return {
    check(given) {
      const url = parse(given)
      const [host, port] = [hostOf(url), portOf(url)]
      if (denied.some(rule => rule.covers(host))) refuseUrl(url, 'forbidden', DENIED)
      if (isIP(host) !== 0) judgeAddress(url, host)
      if (isAllowed(url, host)) return url
      if (LOCAL_NAME.test(host)) refuseUrl(url, 'forbidden', PRIVATE)
      if ((port < 1_024 && port !== 80 && port !== 443) || FOREIGN_PORTS.has(port)) {
        refuseUrl(url, 'forbidden', `port ${port} is not one of a web server. Use the standard ports.`)
      }
      return url
    },
    async resolve(url, { signal } = {}) {
      const host = hostOf(url)
      const kind = isIP(host)
      const addresses: readonly HostAddress[] =
        kind === 0 ? await lookUp(url, lookup, signal) : [{ address: host, family: kind === 4 ? 4 : 6 }]
      for (const { address } of addresses) judgeAddress(url, address)
      return addresses
    },
  }
}

const PRIVATE =
  'it leads to this machine, a private network or another address that is not public. Use a public address.'
const DENIED = 'this host may not be fetched. Use another source.'

function parse(given: string | URL): URL {
  const text = String(given).trim()
  if (!URL.canParse(text)) {
    refuseUrl(text, 'invalid', "it is not a valid URL. Give a full one, such as 'https://example.com/page'.")
  }
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    refuseUrl(url, 'invalid', `'${url.protocol.slice(0, 40)}' is not supported, only http: and https:.`)
  }
  if (url.username !== '' || url.password !== '') {
    refuseUrl(url, 'invalid', 'it has a user name or password in it. Leave them out.')
  }
  url.hash = ''
  return url
}

async function lookUp(url: URL, lookup: HostLookup, signal: AbortSignal | undefined): Promise<readonly HostAddress[]> {
  signal?.throwIfAborted()
  const stopped = Promise.withResolvers<never>()
  const onAbort = (): void => stopped.reject(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  try {
    const found = await Promise.race([lookup(hostOf(url), { signal }), stopped.promise])
    if (found.length > 0) return found
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason
    if (ParleyError.is(error)) throw error
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
  throw failUrl(url, {
    detail: `there is no address for the name '${hostOf(url)}'. Check its spelling.`,
    retryable: true,
  })
}

const lookupBySystem: HostLookup = async host => {
  const found = await systemLookup(host, { all: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port)
  return protocol === 'https:' ? 443 : 80
}

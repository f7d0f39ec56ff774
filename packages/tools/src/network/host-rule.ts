import { BlockList, isIP } from 'node:net'
import { ParleyError } from '@parley/core'
import { addressForms, translatedV4 } from './embedded-addresses.ts'

/** A compiled entry of `allow` or `deny`. */
export interface HostRule {
  /** Returns whether the rule names this host or address, and this port. */
  fits(host: string, port: number): boolean
  /** Returns whether the rule holds for a host or address in any spelling, on any port. A rule for a name includes its subdomains. */
  covers(host: string): boolean
}

/**
 * Converts an entry of `allow` or `deny` to a rule.
 * @throws ParleyError `config-invalid` if the entry is not a host, `host:port` or network.
 */
export function toHostRule(entry: string, path: string): HostRule {
  if (/^.+\/\d{1,3}$/.test(entry)) return toNetRule(entry, path)
  const bare = isIP(entry) === 6 ? `[${entry}]` : entry
  if (!URL.canParse(`http://${bare}/`) || /[/?#@*\s]/.test(bare)) refuseRule(entry, path)
  const host = hostOf(new URL(`http://${bare}/`))
  // Read from the text, because the URL parser drops port 80.
  const explicit = /:(\d+)$/.exec(bare.replace(/^\[.*\]/, ''))
  const port = explicit === null ? undefined : Number(explicit[1])
  const forms = isIP(host) === 0 ? [] : addressForms(host)
  return {
    fits: (candidate, at) => candidate === host && (port === undefined || port === at),
    covers: candidate => {
      if (isIP(host) === 0) return candidate === host || candidate.endsWith(`.${host}`)
      return isAddress(candidate) && addressForms(candidate).some(form => forms.includes(normal(form)))
    },
  }
}

/** Returns the name or address of a URL, without brackets and without a final dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function toNetRule(entry: string, path: string): HostRule {
  const [net = '', prefix = ''] = entry.split('/')
  const list = new BlockList()
  const add = (address: string, bits: number): void =>
    list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  try {
    add(net, Number(prefix))
    // A network of IPv4-mapped or NAT64 addresses is also one of the IPv4 addresses.
    const inner = isIP(net) === 6 && Number(prefix) >= 96 ? translatedV4(net) : undefined
    if (inner !== undefined) add(inner, Number(prefix) - 96)
  } catch {
    refuseRule(entry, path)
  }
  const holds = (address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return {
    fits: candidate => isIP(candidate) !== 0 && holds(candidate),
    covers: candidate => isAddress(candidate) && addressForms(candidate).some(holds),
  }
}

function isAddress(host: string): boolean {
  return isIP(host.split('%', 1)[0] ?? '') !== 0
}

/** Returns an address in the spelling of the URL parser. */
function normal(address: string): string {
  return isIP(address) === 6 ? hostOf(new URL(`http://[${address}]/`)) : address
}

function refuseRule(entry: string, path: string): never {
  const detail = `'${entry}' must be a host, host:port or network such as 10.0.0.0/8`
  throw new ParleyError({ code: 'config-invalid', path, detail })
}

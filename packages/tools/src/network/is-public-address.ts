import { BlockList, isIP } from 'node:net'
import { translatedV4 } from './embedded-addresses.ts'

/** Ranges without public servers: IANA's special-purpose registry, and the metadata services of clouds. */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Special ranges inside 2000::/3. Everything outside of 2000::/3 is special. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const special = new BlockList()
for (const [net, prefix] of SPECIAL_V4) special.addSubnet(net, prefix, 'ipv4')
const specialV6 = new BlockList()
for (const [net, prefix] of SPECIAL_V6) specialV6.addSubnet(net, prefix, 'ipv6')
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Returns whether an IP address is on the public internet. An IPv6 address that embeds an IPv4 address (IPv4-mapped, or NAT64
 * with the well-known prefix) is public if the IPv4 address is.
 */
export function isPublicAddress(address: string): boolean {
  const kind = isIP(address)
  if (kind === 4) return !special.check(address, 'ipv4')
  // A zone (`%eth0`) names an interface of this machine, so the address is never public.
  if (kind !== 6 || address.includes('%')) return false
  const embedded = translatedV4(address)
  if (embedded !== undefined) return isPublicAddress(embedded)
  return globalUnicast.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

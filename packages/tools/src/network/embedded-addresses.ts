import { isIP } from 'node:net'

/**
 * Returns an address and every IPv4 address that it embeds, in one spelling each. A translator of the network (NAT64, 6to4,
 * ISATAP, Teredo) or the operating system (IPv4-mapped) sends packets for such an IPv6 address to the IPv4 address.
 */
export function addressForms(address: string): readonly string[] {
  // A zone (`%eth0`) names an interface and not another host.
  const plain = address.split('%', 1)[0] ?? ''
  return isIP(plain) === 6 ? [plain, ...embeddedV4(groupsOf(plain))] : [plain]
}

/** Returns the IPv4 address of `::ffff:a.b.c.d`, or of `64:ff9b::a.b.c.d` (NAT64 with the well-known prefix). */
export function translatedV4(address: string): string | undefined {
  const groups = groupsOf(address)
  const prefix = prefixOf(groups)
  return prefix === MAPPED || prefix === NAT64 ? toV4(groups[6], groups[7]) : undefined
}

const MAPPED = '0:0:0:0:0:ffff'
const NAT64 = '64:ff9b:0:0:0:0'
/** The prefix of IPv4-compatible addresses, and of IPv4-translated addresses (RFC 2765). */
const OBSOLETE = new Set(['0:0:0:0:0:0', '0:0:0:0:ffff:0'])

function embeddedV4(groups: readonly number[]): readonly string[] {
  const [first, second, third, fourth, fifth, sixth, seventh = 0, eighth = 0] = groups
  const prefix = prefixOf(groups)
  const found: string[] = []
  const last = toV4(seventh, eighth)
  if (prefix === MAPPED || prefix === NAT64 || OBSOLETE.has(prefix)) found.push(last)
  // 64:ff9b:1::/48 is for the NAT64 of a local network, which may place the IPv4 address after 48, 56, 64 or 96 bits.
  if (first === 0x64 && second === 0xff9b && third === 1) found.push(last, ...localNat64(groups))
  if (first === 0x2002) found.push(toV4(second, third))
  if (first === 0x2001 && second === 0) found.push(toV4(third, fourth), toV4(seventh ^ 0xffff, eighth ^ 0xffff))
  if (sixth === 0x5efe && ((fifth ?? 0) & 0xfdff) === 0) found.push(last)
  return [...new Set(found)]
}

/**
 * Returns the IPv4 addresses that an address of a local NAT64 prefix can embed, one for each length of the prefix. RFC
 * 6052 keeps bits 64 to 71 zero, so an IPv4 address that begins before them skips one byte.
 */
function localNat64(groups: readonly number[]): readonly string[] {
  const bytes = groups.flatMap(group => [group >> 8, group & 255])
  return [6, 7, 8].map(start => {
    const positions = [0, 1, 2, 3].map(offset => (start + offset >= 8 ? start + offset + 1 : start + offset))
    return positions.map(position => bytes[position] ?? 0).join('.')
  })
}

function prefixOf(groups: readonly number[]): string {
  return groups
    .slice(0, 6)
    .map(group => group.toString(16))
    .join(':')
}

function toV4(high = 0, low = 0): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
}

/** Returns the eight groups of a valid IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // The URL parser writes every spelling in hexadecimal, with `::` for the longest run of zeros.
  const plain = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [before = '', after = ''] = plain.split('::')
  const parse = (text: string): number[] =>
    text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
  const [head, tail] = [parse(before), parse(after)]
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}

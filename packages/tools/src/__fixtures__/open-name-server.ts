import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import type { HostLookup } from '../network/network-guard.ts'

export interface NameServer extends AsyncDisposable {
  /** Resolves names through this server. */
  readonly lookup: HostLookup
  readonly queries: string[]
}

/** Starts a real DNS server. It answers the n-th query for an IPv4 address with the n-th list, and repeats the last list. */
export async function openNameServer(answers: readonly (readonly string[])[]): Promise<NameServer> {
  const queries: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, peer) => {
    const { name, end } = readName(query, 12)
    queries.push(name)
    const addresses = answers[Math.min(queries.length, answers.length) - 1] ?? []
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180, 2)
    header.writeUInt16BE(addresses.length, 6)
    header.writeUInt16BE(0, 10)
    const records = addresses.map(address =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
    )
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), peer.port, peer.address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  const resolver = new Resolver({ timeout: 2_000, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    queries,
    lookup: async host => (await resolver.resolve4(host)).map(address => ({ address, family: 4 as const })),
    [Symbol.asyncDispose]: () => new Promise(resolve => socket.close(() => resolve())),
  }
}

function readName(query: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = start
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), end: at + 1 }
}

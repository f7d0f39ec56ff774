import { parseAddress } from './parse-address.ts'

/** The servers that may be the primary. */
export interface Servers {
  /** Hosts, ports and database: what may be shown. */
  readonly name: string
  readonly count: number
  /** Of the one to connect to. */
  url(): string
  /** Goes on to the next one, unless somebody else has already left that one. */
  leave(url: string): void
}

/** @throws ParleyError `config-invalid` for an address that makes no sense. */
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

import { createHash, timingSafeEqual } from 'node:crypto'
import { ParleyError } from '@parley/core'
import type { Client } from './client.ts'

/** Somebody who may use the server. */
export interface ApiKey {
  /** Who it is: the principal of the runs it starts. */
  readonly name: string
  /** From `hashApiKey`. The key itself is kept nowhere. */
  readonly hash: string
  /** What it sees: runs, sessions and responses of the same scope, and no others. @default its name */
  readonly scope?: string | undefined
  /** For tools and approvals that ask for one. @default none */
  readonly roles?: readonly string[] | undefined
}

/** What to keep of a key: its SHA-256, in hexadecimal digits. Keys should be long and random. */
export function hashApiKey(key: string): string {
  return digest(key).toString('hex')
}

/**
 * Finds who a key belongs to, in a time that does not depend on the key.
 * @throws ParleyError `config-invalid` for a hash that is none.
 */
export function createKeyRing(keys: readonly ApiKey[]): (key: string) => Client | undefined {
  const known = keys.map(({ name, hash, scope = name, roles = [] }, index) => {
    if (!/^[0-9a-f]{64}$/i.test(hash)) {
      const detail = 'must be 64 hexadecimal digits, as hashApiKey gives them'
      throw new ParleyError({ code: 'config-invalid', path: `keys.${index}.hash`, detail })
    }
    return { hash: Buffer.from(hash, 'hex'), client: { name, scope, principal: { id: name, roles: [...roles] } } }
  })
  return key => {
    const hash = digest(key)
    let found: Client | undefined
    // Every key is looked at, also after one that fits.
    for (const each of known) if (timingSafeEqual(each.hash, hash)) found = each.client
    return found
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

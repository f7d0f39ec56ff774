import { createHash, timingSafeEqual } from 'node:crypto'
import { ParleyError } from '@parley/core'
import type { RunsAccess } from '@parley/runs-api'
import type { Identity } from './client.ts'
import { RUNS_ACCESS, toAccess } from './runs-access.ts'

/** One API key of the server. */
export interface ApiKey {
  /** Name of the client that has the key. It becomes the principal of the runs that this client starts. */
  readonly name: string
  /** Result of `hashApiKey`. The server never stores the key itself. */
  readonly hash: string
  /** The client sees only the runs, sessions and responses of this scope. @default `name` */
  readonly scope?: string | undefined
  /** Roles for tools and approvals that require one. @default none */
  readonly roles?: readonly string[] | undefined
  /**
   * What the client may do in the Runs API. It shows journals, which have the instructions of the agents and the results of their tools.
   * @default nothing
   */
  readonly access?: RunsAccess | undefined
}

/** Hashes an API key for `ApiKey.hash`: SHA-256 as hexadecimal digits. A key should be long and random. */
export function hashApiKey(key: string): string {
  return digest(key).toString('hex')
}

/**
 * Returns a function that finds the client of a key. Its running time does not depend on the key.
 * @throws ParleyError `config-invalid` if a hash is invalid.
 */
export function createKeyRing(keys: readonly ApiKey[]): (key: string) => Identity | undefined {
  const known = keys.map(({ name, hash, scope = name, roles = [], access }, index) => {
    if (!/^[0-9a-f]{64}$/i.test(hash)) {
      const detail = 'must be 64 hexadecimal digits, the result of hashApiKey'
      throw new ParleyError({ code: 'config-invalid', path: `keys.${index}.hash`, detail })
    }
    if (access !== undefined && toAccess(access) === undefined) {
      const detail = `is '${access}'; must be one of ${RUNS_ACCESS.join(', ')}`
      throw new ParleyError({ code: 'config-invalid', path: `keys.${index}.access`, detail })
    }
    return {
      hash: Buffer.from(hash, 'hex'),
      client: { name, scope, access, principal: { id: name, roles: [...roles] } },
    }
  })
  return key => {
    const hash = digest(key)
    let found: Identity | undefined
    // No early exit: the time of a lookup must not tell which key matched.
    for (const each of known) if (timingSafeEqual(each.hash, hash)) found = each.client
    return found
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

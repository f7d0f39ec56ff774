import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { connectPool } from './connect-pool.ts'
import type { Servers } from './create-servers.ts'
import { READ_ONLY } from './primary-only.ts'

/**
 * Wraps a pool so that it closes connections to a server that has become a replica. After a failover the same address
 * leads to the new primary, but an open connection still leads to the old one. With several addresses, the pool
 * connects to the first server that accepts writes.
 */
export function leaveReplicas(pool: Pool, servers: Servers): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    connect: async () => {
      const client = await connectPool(pool, servers)
      const wrapped = known.get(client) ?? wrap(client)
      known.set(client, wrapped)
      return wrapped
    },
    end: () => pool.end(),
    options: pool.options,
  }
}

function wrap(client: PoolClient): PostgresPoolClient {
  let isReplica = false
  const query = async (sql: string, parameters: readonly unknown[]): Promise<unknown> => {
    try {
      return await client.query(sql, [...parameters])
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === READ_ONLY) isReplica = true
      throw error
    }
  }
  return {
    // kysely also uses `query` for cursors, which the store does not need.
    query: query as PostgresPoolClient['query'],
    release: destroy => client.release(destroy === true || isReplica),
  }
}

import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/** A write was refused: the server is a replica, or has become one. */
const READ_ONLY = '25006'

/**
 * The pool, which gives up connections to a server that has become a replica: after a failover the same address leads to
 * another one, but an open connection does not.
 */
export function leaveReplicas(pool: Pool): PostgresPool {
  const known = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    connect: async () => {
      const client = await pool.connect()
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
    // Cursors, the other thing it can be asked for, are not used.
    query: query as PostgresPoolClient['query'],
    release: destroy => client.release(destroy === true || isReplica),
  }
}

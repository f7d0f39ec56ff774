import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { connectPool } from './connect-pool.ts'
import type { Servers } from './create-servers.ts'
import { READ_ONLY } from './primary-only.ts'

/** A statement that the server prepares once for each connection. */
export interface PreparedStatement {
  readonly name: string
  readonly text: string
}

/** A connection of the pool. */
export interface StoreConnection extends PostgresPoolClient {
  /** Executes a prepared statement. @returns The column `run_id` of its rows. */
  execute(statement: PreparedStatement, values: readonly string[]): Promise<readonly string[]>
  /** Returns the connection to the pool, or closes it. */
  release(destroy?: boolean): void
}

/** A pool of connections to the server that accepts writes. */
export interface StorePool extends PostgresPool {
  connect(): Promise<StoreConnection>
}

/**
 * Wraps a pool so that it closes connections to a server that has become a replica. After a failover the same address
 * leads to the new primary, but an open connection still leads to the old one. With several addresses, the pool
 * connects to the first server that accepts writes.
 */
export function leaveReplicas(pool: Pool, servers: Servers): StorePool {
  const known = new WeakMap<PoolClient, StoreConnection>()
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

function wrap(client: PoolClient): StoreConnection {
  let isReplica = false
  async function noticing<TResult>(call: () => Promise<TResult>): Promise<TResult> {
    try {
      return await call()
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === READ_ONLY) isReplica = true
      throw error
    }
  }
  const query = (sql: string, parameters: readonly unknown[]): Promise<unknown> =>
    noticing(() => client.query(sql, [...parameters]))
  return {
    // kysely also uses `query` for cursors, which the store does not need.
    query: query as PostgresPoolClient['query'],
    execute: (statement, values) =>
      noticing(async () => {
        const { rows } = await client.query<{ readonly run_id: string }>({ ...statement, values: [...values] })
        return rows.map(row => row.run_id)
      }),
    release: destroy => client.release(destroy === true || isReplica),
  }
}

import type { Pool, PoolClient } from 'pg'
import type { Servers } from './create-servers.ts'

/** A connection to the first of the servers that gives one; each is asked once. The error is that of the last one. */
export async function connectPool(pool: Pool, servers: Servers): Promise<PoolClient> {
  for (let asked = 1; ; asked++) {
    const url = servers.url()
    // Others may have left the one before.
    pool.options.connectionString = url
    try {
      return await pool.connect()
    } catch (error) {
      // All connections are in use, whatever the server.
      if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') throw error
      servers.leave(url)
      if (asked >= servers.count) throw error
    }
  }
}

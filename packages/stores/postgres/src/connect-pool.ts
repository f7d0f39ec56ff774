import type { Pool, PoolClient } from 'pg'
import type { Servers } from './create-servers.ts'

/** Connects to the first server that accepts a connection. Tries each server once. @throws The error of the last server. */
export async function connectPool(pool: Pool, servers: Servers): Promise<PoolClient> {
  for (let asked = 1; ; asked++) {
    const url = servers.url()
    // Another call may have chosen the next server already.
    pool.options.connectionString = url
    try {
      return await pool.connect()
    } catch (error) {
      // The pool has no free connection, so another server does not help.
      if (error instanceof Error && error.message === 'timeout exceeded when trying to connect') throw error
      servers.leave(url)
      if (asked >= servers.count) throw error
    }
  }
}

import { Pool, types, type ClientBase } from 'pg'
import type { Servers } from './create-servers.ts'
import { primaryOnly } from './primary-only.ts'

const { INT8 } = types.builtins

export interface PoolOptions {
  readonly servers: Servers
  readonly schema: string
  readonly connections: number
  readonly waitMs: number
  /** Milliseconds after which a statement is cancelled. 0 means never. */
  readonly statementTimeoutMs: number
}

/**
 * Longest time to connect to one of several servers, in milliseconds. It prevents an unreachable server from using up
 * the time of a call.
 */
const LONGEST_CONNECT_MS = 5_000

/** Creates a pool whose connections use `schema` and return `bigint` columns as numbers. Connects on first use. */
export function openPool({ servers, schema, connections, waitMs, statementTimeoutMs }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: servers.url(),
    max: connections,
    application_name: 'parley',
    keepAlive: true,
    connectionTimeoutMillis: Math.max(1, servers.count === 1 ? waitMs : Math.min(waitMs, LONGEST_CONNECT_MS)),
    ...onConnect(servers),
    statement_timeout: statementTimeoutMs,
    // The server itself ends slow statements. This timeout is for a server that no longer responds.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5_000,
    // Without a limit, `pg` would leave that of the role or the database.
    options: `-c search_path=${quoted(schema)}${statementTimeoutMs === 0 ? ' -c statement_timeout=0' : ''}`,
    types: {
      getTypeParser: (oid, format) => (oid === INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format)),
    },
  })
  // The next call replaces a broken connection. Without a listener, the error would end the process. The pool listens only to idle
  // connections, and a connection in a transaction may break between two statements.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** Prepares each new connection. */
function onConnect(servers: Servers): { readonly onConnect: (client: ClientBase) => Promise<void> } {
  const { onConnect: refuseReplica } = primaryOnly(servers)
  return {
    onConnect: async client => {
      // The database or the role may have another default. Under `repeatable read`, a transaction that waits for a lock does not see
      // what the holder of the lock has written.
      // No query reads so much that starting parallel workers, which takes 10 ms, would pay.
      await client.query(
        `set default_transaction_isolation = 'read committed'; set max_parallel_workers_per_gather = 0`,
      )
      await refuseReplica?.(client)
    },
  }
}

/** Quotes an identifier for a start-up option, in which spaces and backslashes must be escaped. */
function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`.replaceAll(/[\\ ]/g, character => `\\${character}`)
}

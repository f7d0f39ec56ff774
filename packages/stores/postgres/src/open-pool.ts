import { Pool, types } from 'pg'
import type { Servers } from './create-servers.ts'
import { primaryOnly } from './primary-only.ts'

const { INT8 } = types.builtins

export interface PoolOptions {
  readonly servers: Servers
  readonly schema: string
  readonly connections: number
  readonly waitMs: number
  readonly statementTimeoutMs: number
}

/** Of several servers, one that does not answer must not use up the time of a call. */
const LONGEST_CONNECT_MS = 5_000

/** Connections that see `schema` and hand back `bigint` columns as numbers. Connects when first used. */
export function openPool({ servers, schema, connections, waitMs, statementTimeoutMs }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: servers.url(),
    max: connections,
    application_name: 'parley',
    keepAlive: true,
    connectionTimeoutMillis: Math.max(1, servers.count === 1 ? waitMs : Math.min(waitMs, LONGEST_CONNECT_MS)),
    ...primaryOnly(servers),
    statement_timeout: statementTimeoutMs,
    // The server answers for itself; this is for one that does not answer any more.
    query_timeout: statementTimeoutMs + 5_000,
    options: `-c search_path=${quoted(schema)}`,
    types: {
      getTypeParser: (oid, format) => (oid === INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format)),
    },
  })
  // A connection that breaks is replaced by the next call; unheard, its error would end the process. The pool listens
  // to idle ones only, and one in a transaction may break between two statements.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  return pool
}

/** An identifier as it stands in a start-up option, where spaces and backslashes are escaped. */
function quoted(schema: string): string {
  return `"${schema.replaceAll('"', '""')}"`.replaceAll(/[\\ ]/g, character => `\\${character}`)
}

import { Pool, types } from 'pg'
import type { Address } from './parse-address.ts'

const { INT8 } = types.builtins

export interface PoolOptions {
  readonly address: Address
  readonly schema: string
  readonly connections: number
  readonly waitMs: number
  readonly statementTimeoutMs: number
}

/** Connections that see `schema` and hand back `bigint` columns as numbers. Connects when first used. */
export function openPool({ address, schema, connections, waitMs, statementTimeoutMs }: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: address.url,
    max: connections,
    application_name: 'parley',
    keepAlive: true,
    connectionTimeoutMillis: Math.max(1, waitMs),
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

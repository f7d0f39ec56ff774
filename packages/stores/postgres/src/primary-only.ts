import type { ClientBase } from 'pg'
import type { Servers } from './create-servers.ts'

/** SQLSTATE of a write on a replica. */
export const READ_ONLY = '25006'

/** Returns pool options that reject connections to replicas if the address has several servers. */
export function primaryOnly({ count }: Servers): { readonly onConnect?: typeof refuseReplica } {
  return count === 1 ? {} : { onConnect: refuseReplica }
}

/** Rejects a connection to a replica. @throws The error that a replica returns for a write. */
async function refuseReplica(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'on') return
  throw Object.assign(new Error('the server accepts no writes'), { code: READ_ONLY })
}

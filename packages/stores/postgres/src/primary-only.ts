import type { ClientBase } from 'pg'
import type { Servers } from './create-servers.ts'

/** SQLSTATE of a write that was refused: the server is a replica, or has become one. */
export const READ_ONLY = '25006'

/** Options of a pool that leaves alone what takes no writes, where there is another to go to. */
export function primaryOnly({ count }: Servers): { readonly onConnect?: typeof refuseReplica } {
  return count === 1 ? {} : { onConnect: refuseReplica }
}

/** @throws What the server itself throws at a write, when it takes none. */
async function refuseReplica(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'on') return
  throw Object.assign(new Error('the server takes no writes'), { code: READ_ONLY })
}

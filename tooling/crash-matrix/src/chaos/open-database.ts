import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from '../../../../packages/stores/postgres/src/__fixtures__/start-postgres.ts'
import type { Place } from '../__fixtures__/matrix-worker.ts'

/** The database of a storm. */
export interface Database extends AsyncDisposable {
  readonly place: Place
  /** Ends the server without a checkpoint and starts it again. @default the store has no server */
  readonly crash?: () => Promise<void>
  /** Ends about half of the connections. @returns How many. @default the store has no connections */
  readonly terminate?: () => Promise<number>
}

export async function openDatabase(type: 'sqlite' | 'postgres', folder: string): Promise<Database> {
  if (type === 'sqlite')
    return { place: { type, path: join(folder, 'runs.db') }, [Symbol.asyncDispose]: async () => {} }
  const server = await startPostgres()
  return {
    place: { type, url: server.url, schema: 'chaos' },
    crash: async () => {
      const pid = Number(readFileSync(join(server.databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
      // PostgreSQL calls this signal an immediate shutdown.
      process.kill(pid, 'SIGQUIT')
      while (isAlive(pid)) await sleep(20)
      await server.restart()
    },
    terminate: async () => {
      const client = new Client({ connectionString: server.url })
      await client.connect()
      const query = `select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend' and random() < 0.5`
      const { rowCount } = await client.query(query)
      await client.end()
      return rowCount ?? 0
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

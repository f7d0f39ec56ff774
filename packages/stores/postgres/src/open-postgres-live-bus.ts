import type { LiveBus, RunEvent } from '@parley/core'
import { Pool } from 'pg'
import { connectPool } from './connect-pool.ts'
import { createServers } from './create-servers.ts'
import { createWatch } from './create-watch.ts'
import { packNotices } from './pack-notices.ts'
import { primaryOnly } from './primary-only.ts'

const CHANNEL = 'parley_live'
const GATHER_MS = 20
const LONGEST_SEND_MS = 5_000
/** More than a server that keeps up is ever behind. */
const MOST_WAITING = 2_000

export interface PostgresLiveBusOptions {
  /** `postgres://user:password@host:port/database`, or several `host:port` as for a store; the same for everybody who is to hear each other. */
  readonly url: string
  /** Buses of different names do not hear each other. @default 'public' */
  readonly schema?: string | undefined
}

/**
 * A live bus over `NOTIFY`: events travel many at once, on one connection for what is sent and one for what is heard, and
 * are kept nowhere. Those that a server is too slow or not there for are dropped, the oldest first, and so is one of more
 * than 8 kB. Opening waits for no server.
 * @throws ParleyError `config-invalid` for an address that makes no sense.
 */
export function openPostgresLiveBus({ url, schema = 'public' }: PostgresLiveBusOptions): LiveBus {
  const servers = createServers(url)
  const pool = new Pool({
    connectionString: servers.url(),
    ...primaryOnly(servers),
    max: 1,
    application_name: 'parley',
    allowExitOnIdle: true,
    connectionTimeoutMillis: LONGEST_SEND_MS,
    query_timeout: LONGEST_SEND_MS,
  })
  // A connection that breaks is replaced by the next notice; unheard, its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const watch = createWatch({ servers, schema, channel: CHANNEL })
  const prefix = `${schema}/`
  let waiting: RunEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let closed = false

  async function send(): Promise<void> {
    timer = undefined
    while (waiting.length > 0) {
      const notices = packNotices(waiting, prefix)
      waiting = []
      await notify(notices).catch(() => {})
    }
    sending = undefined
  }

  async function notify(notices: readonly string[]): Promise<void> {
    const client = await connectPool(pool, servers)
    const statement = 'select pg_notify($1, notice) from unnest($2::text[]) as notice'
    // A connection that has failed may lead to a server that is the primary no more.
    await client.query(statement, [CHANNEL, notices]).then(
      () => client.release(),
      () => client.release(true),
    )
  }

  function flush(): void {
    sending ??= send()
  }

  return {
    publish(event) {
      if (closed) return
      waiting.push(event)
      if (waiting.length > MOST_WAITING) waiting.shift()
      if (sending === undefined) timer ??= setTimeout(flush, GATHER_MS).unref()
    },
    subscribe: (runId, listener) =>
      watch.watch(notice => {
        for (const event of eventsIn(notice)) if (event.runId === runId) listener(event)
      }),
    async [Symbol.asyncDispose]() {
      if (closed) return
      closed = true
      clearTimeout(timer)
      flush()
      await sending
      await watch.close()
      await pool.end()
    },
  }
}

/** Whatever else somebody sends on the channel is no event. */
function eventsIn(notice: string): readonly RunEvent[] {
  try {
    const events: unknown = JSON.parse(notice)
    return Array.isArray(events) ? (events as RunEvent[]) : []
  } catch {
    return []
  }
}

import { checkOptions, type LiveBus, type OptionKinds, type RunEvent } from '@parley/core'
import { Pool } from 'pg'
import { connectPool } from './connect-pool.ts'
import { createServers } from './create-servers.ts'
import { createWatch } from './create-watch.ts'
import { packNotices } from './pack-notices.ts'
import { primaryOnly } from './primary-only.ts'

const CHANNEL = 'parley_live'
/** Milliseconds for which events are collected before they are sent together. */
const GATHER_MS = 20
/** Milliseconds after which a send fails and its events are dropped. */
const LONGEST_SEND_MS = 5_000
/** Largest number of unsent events. A server that keeps up never has so many. */
const MOST_WAITING = 2_000

/** Options of `openPostgresLiveBus`. */
export interface PostgresLiveBusOptions {
  /**
   * Address of the database: `postgres://user:password@host:port/database`, or with several `host:port` as for a store.
   * All processes must use the same database.
   */
  readonly url: string
  /** Name that separates buses in one database. Processes with the same name share a bus. @default 'public' */
  readonly schema?: string | undefined
}

const OPTIONS: OptionKinds<PostgresLiveBusOptions> = {
  url: 'string!',
  schema: 'string',
}

/**
 * Opens a live bus over `NOTIFY`. It uses one connection to send and one to receive, and stores no events. If the
 * server is slow or unavailable, the oldest events are dropped. A text or reasoning delta of more than 8 kB is split;
 * any other event of this size is dropped. Opening does not wait for the server.
 * @throws ParleyError `config-invalid` if the address is invalid.
 */
export function openPostgresLiveBus(options: PostgresLiveBusOptions): LiveBus {
  checkOptions('openPostgresLiveBus', options, OPTIONS)
  const { url, schema = 'public' } = options
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
  // The next notice replaces a broken connection. Without a listener, the error would end the process.
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
    // Closed after a failure, because it may lead to a server that is no longer the primary.
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

/** Parses a notice. Other programs may send anything on the channel, so an invalid notice has no events. */
function eventsIn(notice: string): readonly RunEvent[] {
  try {
    const events: unknown = JSON.parse(notice)
    return Array.isArray(events) ? (events as RunEvent[]) : []
  } catch {
    return []
  }
}

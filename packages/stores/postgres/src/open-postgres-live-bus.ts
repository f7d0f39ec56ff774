import type { LiveBus, RunEvent } from '@parley/core'
import { Pool } from 'pg'
import { createWatch } from './create-watch.ts'
import { packNotices } from './pack-notices.ts'
import { parseAddress } from './parse-address.ts'

const CHANNEL = 'parley_live'
const GATHER_MS = 20
const LONGEST_SEND_MS = 5_000
/** More than a server that keeps up is ever behind. */
const MOST_WAITING = 2_000

export interface PostgresLiveBusOptions {
  /** `postgres://user:password@host:port/database`, the same for everybody who is to hear each other. */
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
  parseAddress(url)
  const pool = new Pool({
    connectionString: url,
    max: 1,
    application_name: 'parley',
    allowExitOnIdle: true,
    connectionTimeoutMillis: LONGEST_SEND_MS,
    query_timeout: LONGEST_SEND_MS,
  })
  // A connection that breaks is replaced by the next notice; unheard, its error would end the process.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  const watch = createWatch({ url, schema, channel: CHANNEL })
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
      const statement = 'select pg_notify($1, notice) from unnest($2::text[]) as notice'
      await pool.query(statement, [CHANNEL, notices]).catch(() => {})
    }
    sending = undefined
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

import type { Pool } from 'pg'

/** Of all stores; each notice begins with a schema. Of journals that have grown, of inboxes with something new, and of live events. */
export type Channel = 'parley' | 'parley_inbox' | 'parley_live'

const GATHER_MS = 20

/** Tells other processes of runs, many at once and outside of any append: a notice holds up nobody. */
export interface Announcer {
  announce(runId: string): void
  /** Sends what is still to be told. */
  close(): Promise<void>
}

export interface AnnouncerOptions {
  readonly pool: Pool
  readonly schema: string
  readonly channel: Channel
}

export function createAnnouncer({ pool, schema, channel }: AnnouncerOptions): Announcer {
  const named = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    timer = undefined
    const notices = [...named].map(runId => `${schema}/${runId}`)
    named.clear()
    const statement = 'select pg_notify($1, notice) from unnest($2::text[]) as notice'
    // A notice is a hint: whoever misses it looks by itself.
    await pool.query(statement, [channel, notices]).catch(() => {})
  }

  return {
    announce(runId) {
      named.add(runId)
      timer ??= setTimeout(() => void send(), GATHER_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      if (named.size > 0) await send()
    },
  }
}

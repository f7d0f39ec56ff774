import type { Pool } from 'pg'

/**
 * Channels that all stores share: for journals that have grown, inboxes with new commands, and live events. Each notice
 * starts with the name of its schema.
 */
export type Channel = 'parley' | 'parley_inbox' | 'parley_live'

/** Milliseconds for which notices are collected before they are sent together. */
const GATHER_MS = 20

/**
 * Announces runs to other processes. Notices are sent together and outside of appends, so they do not delay an append.
 */
export interface Announcer {
  /** Adds a run to the next notices. */
  announce(runId: string): void
  /** Sends the remaining notices. */
  close(): Promise<void>
}

export interface AnnouncerOptions {
  readonly pool: Pool
  readonly schema: string
  readonly channel: Channel
}

/** Creates an announcer on one channel. */
export function createAnnouncer({ pool, schema, channel }: AnnouncerOptions): Announcer {
  const pending = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    timer = undefined
    const notices = [...pending].map(runId => `${schema}/${runId}`)
    pending.clear()
    const statement = 'select pg_notify($1, notice) from unnest($2::text[]) as notice'
    // A lost notice does no harm, because readers also poll.
    await pool.query(statement, [channel, notices]).catch(() => {})
  }

  return {
    announce(runId) {
      pending.add(runId)
      timer ??= setTimeout(() => void send(), GATHER_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      if (pending.size > 0) await send()
    },
  }
}

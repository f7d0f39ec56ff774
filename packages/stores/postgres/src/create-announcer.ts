import type { Pool } from 'pg'

/** Of all stores; each notice names schema and run. */
export const CHANNEL = 'parley'

const GATHER_MS = 20

/** Tells other processes which runs have grown, many at once and outside of any append: a notice holds up nobody. */
export interface Announcer {
  announce(runId: string): void
  /** Sends what is still to be told. */
  close(): Promise<void>
}

export function createAnnouncer(pool: Pool, schema: string): Announcer {
  const grown = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    timer = undefined
    const notices = [...grown].map(runId => `${schema}/${runId}`)
    grown.clear()
    const statement = 'select pg_notify($1, notice) from unnest($2::text[]) as notice'
    // A notice is a hint: whoever misses it looks by itself.
    await pool.query(statement, [CHANNEL, notices]).catch(() => {})
  }

  return {
    announce(runId) {
      grown.add(runId)
      timer ??= setTimeout(() => void send(), GATHER_MS).unref()
    },
    async close() {
      clearTimeout(timer)
      if (grown.size > 0) await send()
    },
  }
}

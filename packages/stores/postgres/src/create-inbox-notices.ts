import type { InboxSignals } from '@parley/store-sql'
import type { Pool } from 'pg'
import { createAnnouncer } from './create-announcer.ts'
import type { Servers } from './create-servers.ts'
import { createWatch } from './create-watch.ts'

/** Milliseconds between two reads of the inboxes, for commands whose notice was lost. */
const POLL_MS = 5_000

/** Notices of commands in inboxes. */
export interface InboxNotices {
  readonly signals: InboxSignals
  /** Sends the remaining notices and stops listening. */
  close(): Promise<void>
}

export interface InboxNoticesOptions {
  readonly pool: Pool
  readonly servers: Servers
  readonly schema: string
}

/** Creates the notices on a separate channel, so that workers do not receive a notice for every append. */
export function createInboxNotices({ pool, servers, schema }: InboxNoticesOptions): InboxNotices {
  const channel = 'parley_inbox'
  const announcer = createAnnouncer({ pool, schema, channel })
  let missed = (): void => {}
  const watch = createWatch({ servers, schema, channel, onOpen: () => missed() })
  return {
    signals: {
      everyMs: POLL_MS,
      announce: announcer.announce,
      listen: ({ tell, look }) => {
        missed = look
        return watch.watchSoon(tell)
      },
    },
    async close() {
      await announcer.close()
      await watch.close()
    },
  }
}

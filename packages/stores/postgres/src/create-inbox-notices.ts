import type { InboxSignals } from '@parley/store-sql'
import type { Pool } from 'pg'
import { createAnnouncer } from './create-announcer.ts'
import type { Servers } from './create-servers.ts'
import { createWatch } from './create-watch.ts'

/** Between two looks for what no notice told of. */
const LOOK_MS = 5_000

export interface InboxNotices {
  readonly signals: InboxSignals
  /** Sends what is still to be told. */
  close(): Promise<void>
}

export interface InboxNoticesOptions {
  readonly pool: Pool
  readonly servers: Servers
  readonly schema: string
}

/** Tells of items that were put into inboxes, on a channel of their own: workers need not hear of every append. */
export function createInboxNotices({ pool, servers, schema }: InboxNoticesOptions): InboxNotices {
  const channel = 'parley_inbox'
  const announcer = createAnnouncer({ pool, schema, channel })
  let missed = (): void => {}
  const watch = createWatch({ servers, schema, channel, onOpen: () => missed() })
  return {
    signals: {
      everyMs: LOOK_MS,
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

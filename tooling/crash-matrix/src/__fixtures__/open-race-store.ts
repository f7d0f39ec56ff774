import type { Store } from '@parley/core'
import { openPostgresStore } from '@parley/postgres'
import { openSqliteStore } from '@parley/sqlite'
import type { Place } from './matrix-worker.ts'

/** Opens the store of a race, for a process that works on several runs at the same time. */
export function openRaceStore(place: Place): Promise<Store> {
  if (place.type === 'sqlite') return openSqliteStore({ path: place.path, busyTimeoutMs: 20_000 })
  return openPostgresStore({ url: place.url, schema: place.schema, connections: 4 })
}

import { isOnServer, type ServerFlags } from '../flags/server-flag.ts'
import { onDatabase } from '../store/database.ts'
import { openExistingStore } from '../store/open-store.ts'
import type { RunReader } from '../store/run-reader.ts'

/** Flags that select where the runs are: `--db`, or `--server`. */
export interface PlaceFlags extends ServerFlags {
  readonly db: string
}

/** Opens the runs that the flags select, on a server or in a database. @throws what `openExistingStore` throws. */
export async function openRuns(flags: PlaceFlags): Promise<RunReader & AsyncDisposable> {
  if (!isOnServer(flags)) return openExistingStore(flags.db)
  const [{ createServerReader }, { openRunsClient }] = await Promise.all([
    import('./server-reader.ts'),
    import('./remote-options.ts'),
  ])
  // Requests hold no connection, so there is nothing to close.
  return { ...createServerReader(openRunsClient(flags)), async [Symbol.asyncDispose]() {} }
}

/** Returns the options that select the same runs again, for a hint. Empty for the default database. */
export function placeOf(flags: PlaceFlags): string {
  return isOnServer(flags) ? ` --server ${flags.server}` : onDatabase(flags.db)
}

import type { Database } from 'better-sqlite3'

/** Creates a function that returns whether another connection has written to the file since the last call. */
export function createChangeCheck(database: Database): () => boolean {
  const version = database.prepare<[], number>('pragma data_version').pluck()
  let seen: number | undefined
  return () => {
    const now = version.get()
    const changed = now !== seen
    seen = now
    return changed
  }
}

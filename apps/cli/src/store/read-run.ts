import { ParleyError, type Entry, type EntryOf, type RunRecord, type Store } from '@parley/core'
import { openExistingStore } from './open-store.ts'

/**
 * Finds a run by its id or the end of its id. `last` means the newest run that is not a child run.
 * @throws ParleyError `run-unknown`, also if several ids have this end.
 */
export async function findRun(store: Store, wanted: string): Promise<RunRecord> {
  const exact = wanted === 'last' ? undefined : await store.run(wanted)
  if (exact !== undefined) return exact
  const runs = await store.runs({ scope: 'default', limit: 10_000 })
  const matches =
    wanted === 'last'
      ? runs.filter(({ relation }) => relation !== 'sub-agent').slice(0, 1)
      : runs.filter(({ runId }) => wanted.length >= 4 && runId.endsWith(wanted))
  const [found] = matches
  if (found === undefined || matches.length > 1) throw new ParleyError({ code: 'run-unknown', runId: wanted })
  return found
}

/** A run with its journal. */
export interface JournaledRun {
  readonly record: RunRecord
  readonly entries: readonly Entry[]
  /** The first entry. Its metadata has the flags that the run was started with. */
  readonly started: EntryOf<'run.started'>
}

/**
 * Finds a run as `findRun` does and reads its journal.
 * @throws ParleyError `run-unknown`, and what the store throws.
 */
export async function readRun(store: Store, wanted: string): Promise<JournaledRun> {
  const record = await findRun(store, wanted)
  const entries = await store.read(record.runId)
  const [started] = entries
  if (started?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId: record.runId })
  return { record, entries, started }
}

/**
 * Opens the database, reads a run and closes the database again.
 * @throws what `openExistingStore` and `readRun` throw.
 */
export async function readStoredRun(database: string, wanted: string): Promise<JournaledRun> {
  await using store = await openExistingStore(database)
  return await readRun(store, wanted)
}

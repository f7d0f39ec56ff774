import { ParleyError, type Entry, type EntryOf, type RunRecord } from '@parley/core'
import { ageOf } from '../render/age.ts'
import { openExistingStore } from './open-store.ts'
import type { RunReader } from './run-reader.ts'
import { shortIds } from './short-ids.ts'

/** Largest number of runs among which a short id must be unique. */
const SEARCHED = 10_000
const SHORTEST = 4
const LISTED = 5

/**
 * Finds a run by its id, or by a unique start or end of its id. `last` means the newest run that is not a child run.
 * @throws ParleyError `run-unknown` if no id fits; `config-invalid`, which lists the candidates, if several ids fit.
 */
export async function findRun(reader: RunReader, wanted: string): Promise<RunRecord> {
  const exact = wanted === 'last' ? undefined : await reader.run(wanted)
  if (exact !== undefined) return exact
  const runs = await reader.runs({ scope: 'default', limit: SEARCHED })
  const matches = matchesOf(wanted, runs)
  const [found] = matches
  if (found === undefined) throw new ParleyError({ code: 'run-unknown', runId: wanted })
  if (matches.length > 1) throw ambiguous(wanted, matches, runs)
  return found
}

function matchesOf(wanted: string, runs: readonly RunRecord[]): readonly RunRecord[] {
  if (wanted === 'last') return runs.filter(({ relation }) => relation !== 'sub-agent').slice(0, 1)
  if (wanted.length < SHORTEST) return []
  const starting = runs.filter(({ runId }) => runId.startsWith(wanted))
  return starting.length > 0 ? starting : runs.filter(({ runId }) => runId.endsWith(wanted))
}

function ambiguous(wanted: string, matches: readonly RunRecord[], runs: readonly RunRecord[]): ParleyError {
  const listed = matches.slice(0, LISTED)
  const ids = shortIds(
    runs.map(({ runId }) => runId),
    listed.map(({ runId }) => runId),
  )
  const candidates = listed.map(({ runId, agent, status, startedAt }) => {
    return `${ids.get(runId)} (${agent}, ${status}, ${ageOf(startedAt, Date.now())})`
  })
  const more = matches.length > LISTED ? ` and ${matches.length - LISTED} more` : ''
  const detail = `'${wanted}' fits ${matches.length} runs: ${candidates.join(', ')}${more}`
  return new ParleyError({ code: 'config-invalid', path: 'run', detail })
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
 * @throws ParleyError `run-unknown`, and what the reader throws.
 */
export async function readRun(reader: RunReader, wanted: string): Promise<JournaledRun> {
  const record = await findRun(reader, wanted)
  const entries = await reader.read(record.runId)
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

/** Returns short ids of runs and of the runs that they continue, unique among the newest runs. */
export async function readShortIds(
  reader: RunReader,
  runs: readonly RunRecord[],
): Promise<ReadonlyMap<string, string>> {
  const all = await reader.runs({ scope: 'default', limit: SEARCHED })
  const shown = runs.flatMap(({ runId, parent }) => (parent === undefined ? [runId] : [runId, parent]))
  return shortIds([...new Set([...all.map(({ runId }) => runId), ...shown])], [...new Set(shown)])
}

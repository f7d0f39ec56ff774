import { TurnoverMap, type JournalAppend } from '@parley/core'
import type { RunRow } from '@parley/store-sql'

/** Largest number of rows that are kept. A row has about 1 kB. */
const MAX_RUNS = 10_000

/**
 * The rows of runs as this process wrote them last, so that an append need not read the row first. A row may be outdated. The statement
 * of the append then changes nothing, because it compares the number of the last entry, the worker and the fence.
 */
export class KnownRuns {
  readonly #rows = new TurnoverMap<string, RunRow>()

  /** Returns the row from which an append continues, or `undefined` if it must be read. */
  find({ runId, worker, fence, expectedSeq, taken }: JournalAppend): RunRow | undefined {
    const row = this.#rows.get(runId)
    // Other processes put commands into the inbox. Only the database knows how many can be taken.
    if (row === undefined || taken !== undefined) return undefined
    return row.worker === worker && row.fence === fence && row.seq === expectedSeq ? row : undefined
  }

  /** Keeps a row that was written. */
  keep(row: RunRow): void {
    // Deleted first, so that the map stays in the order of the last write.
    this.#rows.delete(row.run_id)
    // Other runs have no driver, so no append follows soon.
    if (row.status !== 'running') return
    this.#rows.set(row.run_id, row)
    if (this.#rows.size <= MAX_RUNS) return
    const [oldest] = this.#rows.keys()
    if (oldest !== undefined) this.#rows.delete(oldest)
  }

  forget(runId: string): void {
    this.#rows.delete(runId)
  }
}

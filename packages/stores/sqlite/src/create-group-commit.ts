import { ParleyError, type JournalAppend } from '@parley/core'
import type { Database } from 'better-sqlite3'
import { afterTransaction } from './after-transaction.ts'
import type { AppendWriter } from './create-append.ts'

/** Writes appends, so that those of one turn of the event loop share a commit. */
export interface GroupCommit {
  /** Resolves when the append is committed. Rejects if it was not written. */
  write(journal: JournalAppend): Promise<void>
  /** Writes the appends that wait. */
  flush(): Promise<void>
}

interface Waiting {
  readonly journal: JournalAppend
  readonly settled: PromiseWithResolvers<void>
}

/** Largest number of appends in one transaction. It takes about 4 ms, in which other processes cannot write. */
const MAX_APPENDS = 128

/**
 * Creates the function that writes appends. The first run that appends in a turn of the event loop has its commit at once, so a run that
 * is alone never waits. The appends of other runs in the same turn wait for its end, and share one transaction. After a turn with several
 * runs the next one probably has several too, so its first run waits with them. Each append is refused alone: a lost claim of one run
 * changes nothing for the others.
 */
export function createGroupCommit(database: Database, writer: AppendWriter): GroupCommit {
  let waiting: Waiting[] = []
  /** The run that appended first in this turn of the event loop. */
  let first: string | undefined
  let hasOthers = false
  /** Whether several runs appended in the last turn with appends (bench: tricks crowded-turn). */
  let isCrowded = false

  /** @returns For each append the error that refused it, or `undefined`. */
  const writeTogether = database.transaction((group: readonly Waiting[]) =>
    group.map(({ journal }) => refusalOf(() => writer.write(journal))),
  ).immediate

  function endTurn(): void {
    first = undefined
    isCrowded = hasOthers
    hasOthers = false
    void flush()
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_APPENDS)
      await afterTransaction(database, () => writeGroup(group))
    }
  }

  function writeGroup(group: readonly Waiting[]): void {
    if (group.length === 1) return writeEach(group)
    try {
      for (const [index, refusal] of writeTogether(group).entries()) settle(group[index], refusal)
    } catch {
      // Nothing of the transaction was written: the file is locked or full, or one append cannot be written at all.
      for (const { journal } of group) writer.forget(journal.runId)
      writeEach(group)
    }
  }

  function writeEach(group: readonly Waiting[]): void {
    for (const each of group) {
      const error = errorOf(() => writer.write(each.journal))
      settle(each, error)
    }
  }

  return {
    async write(journal) {
      if (first === undefined) {
        first = journal.runId
        setImmediate(endTurn)
      }
      hasOthers ||= first !== journal.runId
      if (!isCrowded && first === journal.runId) {
        await afterTransaction(database, () => writer.write(journal))
        return
      }
      const settled = Promise.withResolvers<void>()
      waiting.push({ journal, settled })
      await settled.promise
    },
    flush,
  }
}

/** Returns the error with which the store refuses an append. Throws any other error, which ends the transaction. */
function refusalOf(write: () => void): unknown {
  const error = errorOf(write)
  if (error !== undefined && !ParleyError.is(error)) throw error
  return error
}

function errorOf(write: () => void): unknown {
  try {
    write()
    return undefined
  } catch (error) {
    return error
  }
}

function settle(each: Waiting | undefined, error: unknown): void {
  if (error === undefined) each?.settled.resolve()
  else each?.settled.reject(error)
}

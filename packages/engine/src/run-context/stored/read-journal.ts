import { ParleyError, type Entry, type EntryOf, type ReadOptions, type Store } from '@parley/core'

/** Most entries of a page. A journal has no largest size, so it is never in memory as a whole. */
export const PAGE_ENTRIES = 500

export interface PageOptions extends Pick<ReadOptions, 'afterSeq' | 'signal'> {
  /** Number of the last entry that is read. @default the last one of the journal */
  readonly untilSeq?: number | undefined
}

/**
 * Reads the entries of a run in pages, in order. A run that is removed between two pages looks like one that ended there, so this
 * is an error.
 * @throws ParleyError `run-unknown` if the run was removed during the reading; `store-…`.
 */
export async function* readPages(
  store: Pick<Store, 'read'>,
  runId: string,
  { afterSeq = 0, untilSeq = Infinity, signal }: PageOptions = {},
): AsyncGenerator<readonly Entry[], undefined> {
  let seen = afterSeq
  while (seen < untilSeq) {
    const limit = Math.min(PAGE_ENTRIES, untilSeq - seen)
    const entries = await store.read(runId, { afterSeq: seen, limit, signal })
    if (entries.length > 0) yield entries
    else if (seen > afterSeq) await readFirst(store, runId)
    if (entries.length < limit) return undefined
    seen += entries.length
  }
  return undefined
}

/** Reads the first entry of a run. @throws ParleyError `run-unknown`, `store-…`. */
export async function readFirst(store: Pick<Store, 'read'>, runId: string): Promise<EntryOf<'run.started'>> {
  const [first] = await store.read(runId, { limit: 1 })
  if (first?.type !== 'run.started') throw new ParleyError({ code: 'run-unknown', runId })
  return first
}

import {
  applyToRecord,
  checkAppend,
  checkSessionHead,
  ParleyError,
  searchWords,
  type Claim,
  type ClaimRequest,
  type Entry,
  type InboxItem,
  type JournalAppend,
  type JournalHead,
  type MemoryQuotas,
  type PruneQuery,
  type RunQuery,
  type RunRecord,
} from '@parley/core'

/** The data that the in-memory store keeps for one run. */
export interface MemoryJournal {
  record: RunRecord
  worker: string
  fence: number
  readonly entries: Entry[]
  /** Every command that the run's inbox has received. */
  readonly items: InboxItem[]
  /** Number of commands that the run has taken. */
  taken: number
}

/** Adds entries to a run's journal and counts to quotas, all or none. @returns Whether the run exists now. */
export function appendTo(
  journals: Map<string, MemoryJournal>,
  append: JournalAppend,
  quotas: Pick<MemoryQuotas, 'add'>,
): boolean {
  const { runId, worker, fence, entries } = append
  const journal = journals.get(runId)
  checkAppend(journal === undefined ? undefined : headOf(journal), append)
  const [first] = entries
  if (append.sessionHead !== undefined && first?.type === 'run.started') {
    const { scope, sessionId } = first
    checkSessionHead(append, listRecords(journals, { scope, sessionId, limit: 1 })[0]?.runId)
  }
  let record = journal?.record
  for (const entry of entries) record = applyToRecord(record, runId, entry)
  if (record === undefined) return false
  if (entries.length > 0) quotas.add(append.counts ?? [])
  if (journal === undefined) {
    journals.set(runId, { record, worker, fence, entries: [...entries], items: [], taken: 0 })
    return true
  }
  journal.record = record
  journal.taken = append.taken ?? journal.taken
  for (const entry of entries) journal.entries.push(entry)
  return true
}

/** Grants a claim unless another live worker holds the run and may drive it. @param aliveUntil End of each worker's last heartbeat. */
export function claimRun(
  journals: ReadonlyMap<string, MemoryJournal>,
  aliveUntil: ReadonlyMap<string, number>,
  { runId, worker, at, force = false }: ClaimRequest,
): Claim {
  const journal = journals.get(runId)
  if (journal === undefined) throw new ParleyError({ code: 'run-unknown', runId })
  const until = aliveUntil.get(journal.worker) ?? -Infinity
  const isDriven = until > at && journal.record.status !== 'suspended'
  if (isDriven && !force && journal.worker !== worker)
    return { granted: false, worker: journal.worker, aliveUntil: until }
  journal.worker = worker
  journal.fence += 1
  return { granted: true, fence: journal.fence }
}

/** Lists the records that match a query, newest first. */
export function listRecords(journals: ReadonlyMap<string, MemoryJournal>, query: RunQuery): readonly RunRecord[] {
  const { scope, sessionId, status, agent, relation, parent, roots = false, limit = 100 } = query
  const { since = -Infinity, until = Infinity, text = '', after } = query
  const words = [...searchWords(text)]
  return [...journals.values()]
    .map(({ record }) => record)
    .filter(record => record.scope === scope)
    .filter(record => sessionId === undefined || record.sessionId === sessionId)
    .filter(record => status === undefined || record.status === status)
    .filter(record => agent === undefined || record.agent === agent)
    .filter(record => relation === undefined || record.relation === relation)
    .filter(record => parent === undefined || record.parent === parent)
    .filter(record => !roots || record.relation !== 'sub-agent')
    .filter(({ startedAt }) => startedAt >= since && startedAt < until)
    .filter(({ preview = '' }) => words.length === 0 || isSuperset(searchWords(preview), words))
    .filter(record => after === undefined || newestFirst(after, record) < 0)
    .toSorted(newestFirst)
    .slice(0, limit)
}

function isSuperset(all: ReadonlySet<string>, some: readonly string[]): boolean {
  return some.every(word => all.has(word))
}

function newestFirst(a: Pick<RunRecord, 'startedAt' | 'runId'>, b: Pick<RunRecord, 'startedAt' | 'runId'>): number {
  if (a.runId === b.runId) return 0
  return b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1)
}

/** Returns the ids of the runs to prune. Such a run has ended, is old, and is not an ancestor of a run that stays. */
export function prunableRuns(
  journals: ReadonlyMap<string, MemoryJournal>,
  { scope, before, runId }: PruneQuery,
): readonly string[] {
  const kept = new Set<string>()
  for (const { record } of journals.values()) {
    const hasEnded = record.status !== 'running' && record.status !== 'suspended'
    const isWanted = runId === undefined || record.runId === runId
    if (record.scope === scope && hasEnded && record.updatedAt < before && isWanted) continue
    let ancestor: RunRecord | undefined = record
    while (ancestor !== undefined && !kept.has(ancestor.runId)) {
      kept.add(ancestor.runId)
      ancestor = ancestor.parent === undefined ? undefined : journals.get(ancestor.parent)?.record
    }
  }
  return [...journals.keys()].filter(id => !kept.has(id))
}

function headOf({ record, worker, fence, items, taken }: MemoryJournal): JournalHead {
  return { seq: record.seq, worker, fence, received: items.length, taken }
}

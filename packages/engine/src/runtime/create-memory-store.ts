import {
  applyToRecord,
  checkAppend,
  checkSessionHead,
  ParleyError,
  type Claim,
  type ClaimRequest,
  type Entry,
  type PruneQuery,
  type RunQuery,
  type RunRecord,
  type Store,
} from '@parley/core'
import { createMemoryDeadLetters } from '../bus/create-memory-dead-letters.ts'

interface Journal {
  record: RunRecord
  worker: string
  fence: number
  readonly entries: Entry[]
}

/**
 * A store that lives and dies with this process. It keeps entries by reference, so appending costs no copy
 * and `read` gives back the very objects. Closing it forgets nothing.
 */
export function createMemoryStore(): Store {
  const journals = new Map<string, Journal>()
  const aliveUntil = new Map<string, number>()
  const listeners = new Set<(runId: string) => void>()

  function claim({ runId, worker, at, force = false }: ClaimRequest): Claim {
    const journal = journals.get(runId)
    if (journal === undefined) throw new ParleyError({ code: 'run-unknown', runId })
    const alive = (aliveUntil.get(journal.worker) ?? -Infinity) > at
    if (alive && !force && journal.worker !== worker) return { granted: false, worker: journal.worker }
    journal.worker = worker
    journal.fence += 1
    return { granted: true, fence: journal.fence }
  }

  return {
    name: 'memory',
    append: async append => {
      const journal = journals.get(append.runId)
      checkAppend(journal === undefined ? undefined : { ...journal, seq: journal.record.seq }, append)
      const [first] = append.entries
      if (append.sessionHead !== undefined && first?.type === 'run.started') {
        const { scope, sessionId } = first
        checkSessionHead(append, select(journals, { scope, sessionId, limit: 1 })[0]?.runId)
      }
      let record = journal?.record
      for (const entry of append.entries) record = applyToRecord(record, append.runId, entry)
      if (record === undefined) return
      if (journal === undefined) {
        journals.set(append.runId, { record, worker: append.worker, fence: append.fence, entries: [...append.entries] })
      } else {
        journal.record = record
        for (const entry of append.entries) journal.entries.push(entry)
      }
      for (const listener of listeners) listener(append.runId)
    },
    read: async (runId, { afterSeq = 0 } = {}) => journals.get(runId)?.entries.slice(afterSeq) ?? [],
    run: async runId => journals.get(runId)?.record,
    runs: async query => select(journals, query),
    claim: async request => claim(request),
    heartbeat: async ({ worker, at, ttlMs }) => {
      aliveUntil.set(worker, at + ttlMs)
    },
    prune: async query => prune(journals, query),
    watch: async listener => {
      // A listener that is given twice is told twice.
      const own = (runId: string): void => listener(runId)
      listeners.add(own)
      return {
        [Symbol.asyncDispose]: async () => {
          listeners.delete(own)
        },
      }
    },
    deadLetters: createMemoryDeadLetters(),
    [Symbol.asyncDispose]: async () => {},
  }
}

function select(
  journals: ReadonlyMap<string, Journal>,
  { scope, sessionId, status, limit = 100 }: RunQuery,
): readonly RunRecord[] {
  return [...journals.values()]
    .map(({ record }) => record)
    .filter(record => record.scope === scope)
    .filter(record => sessionId === undefined || record.sessionId === sessionId)
    .filter(record => status === undefined || record.status === status)
    .toSorted((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1))
    .slice(0, limit)
}

function prune(journals: Map<string, Journal>, { scope, before, runId }: PruneQuery): number {
  const kept = new Set<string>()
  for (const { record } of journals.values()) {
    const over = record.status !== 'running' && record.status !== 'suspended'
    const asked = runId === undefined || record.runId === runId
    if (record.scope === scope && over && record.updatedAt < before && asked) continue
    let ancestor: RunRecord | undefined = record
    while (ancestor !== undefined && !kept.has(ancestor.runId)) {
      kept.add(ancestor.runId)
      ancestor = ancestor.parent === undefined ? undefined : journals.get(ancestor.parent)?.record
    }
  }
  const removed = [...journals.values()].filter(({ record }) => !kept.has(record.runId))
  for (const { record } of removed) journals.delete(record.runId)
  return removed.length
}

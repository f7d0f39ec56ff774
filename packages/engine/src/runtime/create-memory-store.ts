import {
  applyToRecord,
  checkAppend,
  checkSessionHead,
  createMemoryDeadLetters,
  ParleyError,
  type Claim,
  type ClaimRequest,
  type JournalHead,
  type PruneQuery,
  type RunQuery,
  type RunRecord,
  type Store,
} from '@parley/core'
import { createMemoryArtifacts, type KeptArtifact } from '../memory-store/create-memory-artifacts.ts'
import { createMemoryInbox } from '../memory-store/create-memory-inbox.ts'
import { createMemoryNotes } from '../memory-store/create-memory-notes.ts'
import { createMemoryWorkflows } from '../memory-store/create-memory-workflows.ts'
import type { MemoryJournal } from '../memory-store/memory-journal.ts'

export interface MemoryStoreOptions {
  /** Milliseconds since the epoch. @default the machine's */
  readonly now?: (() => number) | undefined
}

/**
 * A store that lives and dies with this process. It keeps entries by reference, so appending costs no copy
 * and `read` gives back the very objects. Closing it forgets nothing.
 */
export function createMemoryStore({ now = Date.now }: MemoryStoreOptions = {}): Store {
  const journals = new Map<string, MemoryJournal>()
  const aliveUntil = new Map<string, number>()
  const listeners = new Set<(runId: string) => void>()
  const artifacts = new Map<string, KeptArtifact>()

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
      checkAppend(journal === undefined ? undefined : toHead(journal), append)
      const [first] = append.entries
      if (append.sessionHead !== undefined && first?.type === 'run.started') {
        const { scope, sessionId } = first
        checkSessionHead(append, select(journals, { scope, sessionId, limit: 1 })[0]?.runId)
      }
      let record = journal?.record
      for (const entry of append.entries) record = applyToRecord(record, append.runId, entry)
      if (record === undefined) return
      if (journal === undefined) {
        const { worker, fence, entries } = append
        journals.set(append.runId, { record, worker, fence, entries: [...entries], items: [], taken: 0 })
      } else {
        journal.record = record
        journal.taken = append.taken ?? journal.taken
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
    prune: async query => prune({ journals, aliveUntil, artifacts }, query),
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
    inbox: createMemoryInbox(journals),
    artifacts: createMemoryArtifacts(artifacts, now),
    deadLetters: createMemoryDeadLetters(),
    notes: createMemoryNotes(),
    workflows: createMemoryWorkflows(),
    [Symbol.asyncDispose]: async () => {},
  }
}

function select(
  journals: ReadonlyMap<string, MemoryJournal>,
  { scope, sessionId, status, agent, relation, parent, limit = 100 }: RunQuery,
): readonly RunRecord[] {
  return [...journals.values()]
    .map(({ record }) => record)
    .filter(record => record.scope === scope)
    .filter(record => sessionId === undefined || record.sessionId === sessionId)
    .filter(record => status === undefined || record.status === status)
    .filter(record => agent === undefined || record.agent === agent)
    .filter(record => relation === undefined || record.relation === relation)
    .filter(record => parent === undefined || record.parent === parent)
    .toSorted((a, b) => b.startedAt - a.startedAt || (a.runId < b.runId ? 1 : -1))
    .slice(0, limit)
}

interface Kept {
  readonly journals: Map<string, MemoryJournal>
  readonly aliveUntil: Map<string, number>
  readonly artifacts: Map<string, KeptArtifact>
}

function prune({ journals, aliveUntil, artifacts }: Kept, { scope, before, runId }: PruneQuery): number {
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
  const sessions = new Set(
    [...journals.values()].flatMap(({ record }) => (record.scope === scope ? record.sessionId : [])),
  )
  for (const [id, { owner, keptAt }] of artifacts) {
    if (owner.scope === scope && keptAt < before && !sessions.has(owner.sessionId)) artifacts.delete(id)
  }
  for (const [worker, until] of aliveUntil) if (until < before) aliveUntil.delete(worker)
  return removed.length
}

function toHead({ record, worker, fence, items, taken }: MemoryJournal): JournalHead {
  return { seq: record.seq, worker, fence, received: items.length, taken }
}

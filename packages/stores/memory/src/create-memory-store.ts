import {
  checkOptions,
  createMemoryArtifacts,
  createMemoryDeadLetters,
  createMemoryQuotas,
  systemClock,
  withCheckedIdentifiers,
  type PruneQuery,
  type Store,
  type OptionKinds,
} from '@parley/core'
import { createMemoryInbox } from './create-memory-inbox.ts'
import { createMemoryNotes } from './create-memory-notes.ts'
import { createMemoryReports } from './create-memory-reports.ts'
import { createMemoryWorkflows } from './create-memory-workflows.ts'
import { appendTo, claimRun, listRecords, prunableRuns, type MemoryJournal } from './memory-journal.ts'

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** Returns the time in milliseconds since the epoch. @default the machine's clock */
  readonly now?: (() => number) | undefined
}

const OPTIONS: OptionKinds<MemoryStoreOptions> = {
  now: 'function',
}

/**
 * Creates a store that keeps everything in the memory of this process. It keeps entries by reference: `append` makes no copy,
 * and `read` returns the same objects. Closing the store removes nothing.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  checkOptions('createMemoryStore', options, OPTIONS)
  const { now = systemClock.now } = options
  const journals = new Map<string, MemoryJournal>()
  const aliveUntil = new Map<string, number>()
  const listeners = new Set<(runId: string) => void>()
  const quotas = createMemoryQuotas()
  const artifacts = createMemoryArtifacts({ maxCharacters: Infinity, now })

  function prune(query: PruneQuery): number {
    const { scope, before } = query
    const removed = prunableRuns(journals, query)
    for (const runId of removed) journals.delete(runId)
    const sessions = new Set(
      [...journals.values()].flatMap(({ record }) => (record.scope === scope ? record.sessionId : [])),
    )
    artifacts.removeIf((owner, keptAt) => owner.scope === scope && keptAt < before && !sessions.has(owner.sessionId))
    quotas.removeEnded(scope, before)
    for (const [worker, until] of aliveUntil) if (until < before) aliveUntil.delete(worker)
    return removed.length
  }

  return withCheckedIdentifiers({
    name: 'memory',
    append: async (request, { signal } = {}) => {
      signal?.throwIfAborted()
      if (!appendTo(journals, request, quotas)) return
      for (const listener of listeners) listener(request.runId)
    },
    read: async (runId, { afterSeq = 0, limit = Infinity, signal } = {}) => {
      signal?.throwIfAborted()
      return journals.get(runId)?.entries.slice(afterSeq, afterSeq + limit) ?? []
    },
    run: async (runId, { signal } = {}) => {
      signal?.throwIfAborted()
      return journals.get(runId)?.record
    },
    runs: async (query, { signal } = {}) => {
      signal?.throwIfAborted()
      return listRecords(journals, query)
    },
    claim: async (request, { signal } = {}) => {
      signal?.throwIfAborted()
      return claimRun(journals, aliveUntil, request)
    },
    heartbeat: async ({ worker, at, ttlMs }, { signal } = {}) => {
      signal?.throwIfAborted()
      aliveUntil.set(worker, at + ttlMs)
    },
    prune: async (query, { signal } = {}) => {
      signal?.throwIfAborted()
      return prune(query)
    },
    watch: async (listener, { signal } = {}) => {
      signal?.throwIfAborted()
      // A wrapper, so that a listener that is given twice is called twice.
      const own = (runId: string): void => listener(runId)
      listeners.add(own)
      return {
        [Symbol.asyncDispose]: async () => {
          listeners.delete(own)
        },
      }
    },
    inbox: createMemoryInbox(journals),
    artifacts,
    deadLetters: createMemoryDeadLetters(),
    notes: createMemoryNotes(),
    quotas: { totals: quotas.totals },
    reports: createMemoryReports(journals, aliveUntil),
    workflows: createMemoryWorkflows(),
    [Symbol.asyncDispose]: async () => {},
  })
}

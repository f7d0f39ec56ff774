import { ParleyError, type RunInbox } from '@parley/core'
import type { MemoryJournal } from './memory-journal.ts'

/** Creates the inboxes of runs whose journals are in this process. */
export function createMemoryInbox(journals: ReadonlyMap<string, MemoryJournal>): RunInbox {
  const listeners = new Set<(runId: string) => void>()
  return {
    put: async ({ runId, ...item }, { signal } = {}) => {
      signal?.throwIfAborted()
      const journal = journals.get(runId)
      if (journal === undefined) throw new ParleyError({ code: 'run-unknown', runId })
      const { items, record } = journal
      if (items.some(({ id }) => id === item.id)) return record.status
      if (record.status !== 'running' && record.status !== 'suspended')
        throw new ParleyError({ code: 'run-ended', runId })
      items.push({ ...item, position: items.length + 1 })
      for (const listener of listeners) listener(runId)
      return record.status
    },
    read: async (runId, { signal } = {}) => {
      signal?.throwIfAborted()
      const journal = journals.get(runId)
      return journal?.items.slice(journal.taken) ?? []
    },
    watch: async (listener, { signal } = {}) => {
      signal?.throwIfAborted()
      // A wrapper, so that a listener that is given twice is called twice.
      const own = (runId: string): void => listener(runId)
      listeners.add(own)
      for (const [runId, { items, taken }] of journals) if (items.length > taken) own(runId)
      return {
        [Symbol.asyncDispose]: async () => {
          listeners.delete(own)
        },
      }
    },
  }
}

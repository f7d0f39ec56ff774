import type { DeadLetter, DeadLetterStore } from '../dead-letter-store.ts'

/** Creates a dead-letter store that keeps its letters in the memory of this process. */
export function createMemoryDeadLetters(): DeadLetterStore {
  const letters = new Map<string, DeadLetter>()
  const oldestFirst = (): DeadLetter[] =>
    [...letters.values()].toSorted((a, b) => a.failedAt - b.failedAt || (a.id < b.id ? -1 : 1))
  return {
    put: async (letter, { signal } = {}) => {
      signal?.throwIfAborted()
      letters.set(letter.id, letter)
    },
    list: async ({ subscriber, limit = 100 } = {}, { signal } = {}) => {
      signal?.throwIfAborted()
      return oldestFirst()
        .filter(letter => subscriber === undefined || letter.subscriber === subscriber)
        .slice(0, limit)
    },
    get: async (id, { signal } = {}) => {
      signal?.throwIfAborted()
      return letters.get(id)
    },
    remove: async (id, { signal } = {}) => {
      signal?.throwIfAborted()
      return letters.delete(id)
    },
    prune: async ({ before, keep }, { signal } = {}) => {
      signal?.throwIfAborted()
      const total = letters.size
      const removed = oldestFirst().filter((letter, index) => letter.failedAt < before || index < total - keep)
      for (const { id } of removed) letters.delete(id)
      return removed.length
    },
    count: async ({ signal } = {}) => {
      signal?.throwIfAborted()
      return letters.size
    },
  }
}

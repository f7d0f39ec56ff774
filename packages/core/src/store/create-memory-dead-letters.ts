import type { DeadLetter, DeadLetterStore } from './dead-letter-store.ts'

/** Creates a store that keeps dead letters in this process. They are lost when it ends. */
export function createMemoryDeadLetters(): DeadLetterStore {
  const letters = new Map<string, DeadLetter>()
  const inOrder = (): DeadLetter[] =>
    [...letters.values()].toSorted((a, b) => a.failedAt - b.failedAt || (a.id < b.id ? -1 : 1))
  return {
    put: async letter => {
      letters.set(letter.id, letter)
    },
    list: async ({ subscriber, limit = 100 } = {}) =>
      inOrder()
        .filter(letter => subscriber === undefined || letter.subscriber === subscriber)
        .slice(0, limit),
    get: async id => letters.get(id),
    remove: async id => letters.delete(id),
    prune: async ({ before, keep }) => {
      const total = letters.size
      const gone = inOrder().filter((letter, index) => letter.failedAt < before || index < total - keep)
      for (const { id } of gone) letters.delete(id)
      return gone.length
    },
    count: async () => letters.size,
  }
}

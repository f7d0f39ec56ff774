/** Runs work of the same key one after the other. */
export interface KeyedQueue {
  run<TResult>(key: string, work: () => Promise<TResult>): Promise<TResult>
}

export function createKeyedQueue(): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = tails.get(key)
      const turn = (async () => {
        // The caller of the previous work handles its failure.
        await before?.catch(() => {})
        return await work()
      })()
      tails.set(key, turn)
      try {
        return await turn
      } finally {
        if (tails.get(key) === turn) tails.delete(key)
      }
    },
  }
}

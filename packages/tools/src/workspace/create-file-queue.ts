/** Serialises work on the same file. */
export interface FileQueue {
  /** Runs `work` after all earlier work with the same key has settled. */
  run<TResult>(key: string, work: () => Promise<TResult>): Promise<TResult>
}

export function createFileQueue(): FileQueue {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
      const before = tails.get(key)
      const mine = (async () => {
        await before?.catch(() => {})
        return work()
      })()
      tails.set(key, mine)
      try {
        return await mine
      } finally {
        if (tails.get(key) === mine) tails.delete(key)
      }
    },
  }
}

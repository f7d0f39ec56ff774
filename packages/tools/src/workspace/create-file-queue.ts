import type { WorkspacePath } from './workspace.ts'

/** Serializes work on the same file. */
export interface FileQueue {
  /**
   * Runs `work` with the resolved path, after all work on that path that was queued earlier has settled. Work is queued in the
   * order of the calls, even if a later call resolves its path first.
   */
  run<TResult>(resolving: Promise<WorkspacePath>, work: (found: WorkspacePath) => Promise<TResult>): Promise<TResult>
}

export function createFileQueue(): FileQueue {
  const tails = new Map<string, Promise<unknown>>()
  let queued: Promise<unknown> = Promise.resolve()

  async function next(resolving: Promise<WorkspacePath>): Promise<WorkspacePath> {
    const both = Promise.allSettled([queued, resolving])
    queued = both
    await both
    return resolving
  }

  return {
    async run(resolving, work) {
      const found = await next(resolving)
      const before = tails.get(found.path)
      const mine = (async () => {
        await before?.catch(() => {})
        return work(found)
      })()
      tails.set(found.path, mine)
      try {
        return await mine
      } finally {
        if (tails.get(found.path) === mine) tails.delete(found.path)
      }
    },
  }
}

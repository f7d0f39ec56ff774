import type { Store } from '@parley/core'

/** The moment at which a process is killed: before or after an append, counted from 1 over all runs of the process. */
export interface DeathPoint {
  readonly append: number
  readonly side: 'before' | 'after'
}

/** Counts appends and kills the process at `death` with SIGKILL, so that no handler or `finally` can react. */
export function mortalStore(store: Store, death: DeathPoint | undefined): Store & { readonly appends: number } {
  let appends = 0
  return {
    ...store,
    get appends() {
      return appends
    },
    append: async journal => {
      const append = ++appends
      if (death?.append === append && death.side === 'before') process.kill(process.pid, 'SIGKILL')
      await store.append(journal)
      if (death?.append === append && death.side === 'after') process.kill(process.pid, 'SIGKILL')
    },
  }
}

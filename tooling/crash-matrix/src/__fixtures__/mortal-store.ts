import type { Store } from '@parley/core'

/** When a process has to die: around the append of this number, counted from 1 over all runs of the process. */
export interface DeathPoint {
  readonly append: number
  readonly side: 'before' | 'after'
}

/** The store, until the process is killed at `death` as no handler or `finally` can notice. Counts the appends. */
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

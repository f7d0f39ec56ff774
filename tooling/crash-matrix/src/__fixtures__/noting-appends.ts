import { appendFileSync } from 'node:fs'
import type { Store } from '@parley/core'

/** The store, which writes a line to a file for each acknowledged append: the run and its last entry. */
export function notingAppends(store: Store, file: string): Store {
  return {
    ...store,
    async append(append, options) {
      await store.append(append, options)
      appendFileSync(file, `${append.runId} ${append.entries.at(-1)?.seq}\n`)
    },
  }
}

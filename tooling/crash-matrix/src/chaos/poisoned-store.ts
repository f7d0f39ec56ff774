import { ParleyError, type Store } from '@parley/core'
import { UNWRITABLE } from './kinds.ts'

/** A store that refuses the answers and the journals of poison runs. Every process refuses the same. */
export function poisonedStore(store: Store): Store {
  return {
    ...store,
    append: async (journal, options) => {
      const isRefused = journal.entries.some(
        entry =>
          entry.type === 'message.appended' && entry.source === 'model' && JSON.stringify(entry).includes(UNWRITABLE),
      )
      if (isRefused) throw new Error('the answer cannot be written')
      return store.append(journal, options)
    },
    read: async (runId, options) => {
      const entries = await store.read(runId, options)
      if (runId.startsWith('unreadable') && entries.some(({ seq }) => seq > 6))
        throw new ParleyError({ code: 'store-corrupt', store: store.name, detail: `run ${runId} cannot be read` })
      return entries
    },
  }
}

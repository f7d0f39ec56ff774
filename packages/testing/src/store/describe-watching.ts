import type { Store } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { saidEntry, startedEntry } from './sample-entry.ts'

/** Tests `Store.watch`. */
export function describeWatching(open: () => Promise<Store>): void {
  describe('with watch', () => {
    it('the store notifies every open watch of a run that has grown, and no disposed watch', async ({ skip }) => {
      await using store = await open()
      if (store.watch === undefined) return skip('the store has no watch')
      const first = await watching(store)
      const second = await watching(store)
      const append = { worker: 'w', fence: 1, expectedSeq: 0 }
      await store.append({ ...append, runId: 'a', entries: [startedEntry()] })
      await Promise.all([first.heard('a'), second.heard('a')])
      await second.stop()
      second.forget()
      await store.append({ ...append, runId: 'b', entries: [startedEntry(), saidEntry('hi')] })
      await first.heard('b')
      await store.append({ ...append, runId: 'a', expectedSeq: 1, entries: [saidEntry('again')] })
      await first.heard('a')
      expect(second.ids).toEqual([])
      await first.stop()
    })
  })
}

async function watching(store: Store) {
  const ids: string[] = []
  let told = Promise.withResolvers<void>()
  const watch = await store.watch?.(runId => {
    ids.push(runId)
    told.resolve()
  })
  return {
    ids,
    forget: () => ids.splice(0),
    heard: async (runId: string): Promise<void> => {
      while (!ids.includes(runId)) {
        told = Promise.withResolvers()
        await told.promise
      }
      ids.splice(0)
    },
    stop: async () => watch?.[Symbol.asyncDispose](),
  }
}

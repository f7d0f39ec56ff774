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

    it('a listener that is given twice is called twice, and the end of one watch leaves the other', async ({
      skip,
    }) => {
      await using store = await open()
      if (store.watch === undefined) return skip('the store has no watch')
      const ids: string[] = []
      let called = Promise.withResolvers<void>()
      const listener = (runId: string): void => {
        ids.push(runId)
        called.resolve()
      }
      const heard = async (runId: string, times: number): Promise<void> => {
        while (ids.filter(id => id === runId).length < times) {
          called = Promise.withResolvers()
          await called.promise
        }
      }
      const [first, second] = [await store.watch(listener), await store.watch(listener)]
      const append = { worker: 'w', fence: 1, expectedSeq: 0, entries: [startedEntry()] }
      await store.append({ ...append, runId: 'a' })
      await heard('a', 2)
      await first[Symbol.asyncDispose]()
      await store.append({ ...append, runId: 'b' })
      await heard('b', 1)
      await second[Symbol.asyncDispose]()
      expect(ids.filter(id => id === 'b')).toHaveLength(1)
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

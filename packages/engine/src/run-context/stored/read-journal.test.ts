import type { Entry, ReadOptions } from '@parley/core'
import { describe, expect, it } from 'vitest'
import { PAGE_ENTRIES, readFirst, readPages, type PageOptions } from './read-journal.ts'

/** A store with a journal of this many entries, which another process may remove. */
function storeOf(count: number) {
  let entries: readonly Entry[] = Array.from({ length: count }, (_, index) => ({
    ...(index === 0 ? STARTED : { type: 'instructions.evaluated' as const, agent: 'a', text: '' }),
    v: 1 as const,
    seq: index + 1,
    at: 0,
  }))
  const reads: (ReadOptions | undefined)[] = []
  return {
    reads,
    remove: () => (entries = []),
    read: async (_runId: string, options?: ReadOptions) => {
      reads.push(options)
      const { afterSeq = 0, limit = Infinity } = options ?? {}
      return entries.slice(afterSeq, afterSeq + limit)
    },
  }
}

const STARTED = {
  type: 'run.started',
  agent: 'a',
  model: 'p/m',
  sessionId: 's',
  scope: 'default',
  relation: 'initial',
} as const

/** The numbers of the entries that are read, one list for each page. */
async function pagesOf(store: ReturnType<typeof storeOf>, options?: PageOptions) {
  const pages: number[][] = []
  for await (const entries of readPages(store, 'r', options)) pages.push(entries.map(({ seq }) => seq))
  return pages
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('readPages', () => {
  it.each([0, 1, PAGE_ENTRIES - 1, PAGE_ENTRIES, PAGE_ENTRIES + 1, 3 * PAGE_ENTRIES])(
    'readPages reads each of %d entries once, in order, in pages of at most PAGE_ENTRIES',
    async count => {
      const pages = await pagesOf(storeOf(count))
      expect(pages.flat()).toEqual(range(1, count))
      expect(Math.max(0, ...pages.map(page => page.length))).toBeLessThanOrEqual(PAGE_ENTRIES)
    },
  )

  it('readPages reads the entries after afterSeq and up to untilSeq, and no more of the store', async () => {
    const store = storeOf(3 * PAGE_ENTRIES)
    const untilSeq = PAGE_ENTRIES + 5
    expect((await pagesOf(store, { afterSeq: 3, untilSeq })).flat()).toEqual(range(4, untilSeq))
    expect(store.reads.map(options => options?.limit)).toEqual([PAGE_ENTRIES, 2])
  })

  it('readPages throws run-unknown if the run is removed between two pages', async () => {
    const store = storeOf(PAGE_ENTRIES)
    const reading = async () => {
      for await (const _entries of readPages(store, 'r')) store.remove()
    }
    await expect(reading()).rejects.toMatchObject({ info: { code: 'run-unknown', runId: 'r' } })
  })
})

describe('readFirst', () => {
  it('readFirst returns the first entry of a run and reads only that', async () => {
    const store = storeOf(5)
    expect(await readFirst(store, 'r')).toMatchObject({ type: 'run.started', seq: 1 })
    expect(store.reads).toEqual([{ limit: 1 }])
  })

  it('readFirst throws run-unknown for an unknown run', async () => {
    await expect(readFirst(storeOf(0), 'r')).rejects.toMatchObject({ info: { code: 'run-unknown' } })
  })
})

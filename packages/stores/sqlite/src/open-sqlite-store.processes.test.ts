import { bundleProgram } from '@parley-tooling/test-run/bundle-program'
import { beforeAll, describe, expect, it } from 'vitest'
import { openChild } from './__fixtures__/open-child.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const WRITERS = [0, 1, 2, 3]
const APPENDS = 150
let appendWorker = ''
let quotaWorker = ''

beforeAll(async () => {
  appendWorker = await bundleProgram(new URL('./__fixtures__/append-worker.ts', import.meta.url))
  quotaWorker = await bundleProgram(new URL('./__fixtures__/quota-worker.ts', import.meta.url))
})

describe('processes that share a SQLite store', () => {
  it('processes that open a new file at the same time each store their own run', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    const children = WRITERS.map(writer =>
      openChild(appendWorker, { args: [path, `run-${writer}`, `${writer}`, `${APPENDS}`] }),
    )
    await Promise.all(children.map(child => child.printed(1)))
    for (const child of children) child.start()
    expect(await Promise.all(children.map(child => child.exited))).toEqual([0, 0, 0, 0])
    await using store = await openSqliteStore({ path })
    for (const writer of WRITERS) {
      const entries = await store.read(`run-${writer}`)
      expect(entries.map(entry => entry.seq)).toEqual(Array.from({ length: APPENDS + 1 }, (_, index) => index + 1))
    }
  })

  it('processes that append to one run lose, repeat and reorder no entry', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    const children = WRITERS.map(writer => openChild(appendWorker, { args: [path, 'run', `${writer}`, `${APPENDS}`] }))
    await Promise.all(children.map(child => child.printed(1)))
    for (const child of children) child.start()
    expect(await Promise.all(children.map(child => child.exited))).toEqual([0, 0, 0, 0])
    await using store = await openSqliteStore({ path })
    const [, ...entries] = await store.read('run')
    const texts = entries.map(entry => JSON.stringify(entry).match(/"text":"(\d \d+)"/)?.[1] ?? '')
    for (const writer of WRITERS) {
      const own = texts.filter(text => text.startsWith(`${writer} `))
      expect(own).toEqual(Array.from({ length: APPENDS }, (_, index) => `${writer} ${index}`))
    }
  })

  it('every acknowledged entry is in the store after a process was killed', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    for (const enough of [2, 40, 200]) {
      const runId = `run-${enough}`
      await using child = openChild(appendWorker, { args: [path, runId, 'x', '1000000'] })
      child.start()
      await child.printed(enough)
      child.kill()
      await child.exited
      const acknowledged = Number(child.lines.at(-1))
      await using store = await openSqliteStore({ path })
      const entries = await store.read(runId)
      expect(entries.length).toBeGreaterThanOrEqual(acknowledged)
      expect((await store.run(runId))?.seq).toBe(entries.length)
      await store.claim({ runId, worker: 'next', at: 0 })
    }
  })

  it('processes that race for a quota begin exactly maxRuns runs, and count the usage of each once', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    const children = [0, 1].map(label => openChild(quotaWorker, { args: [path, `w${label}`, '40', '50'] }))
    await Promise.all(children.map(child => child.printed(1)))
    for (const child of children) child.start()
    expect(await Promise.all(children.map(child => child.exited))).toEqual([0, 0])
    const begun = children.map(child => Number(child.lines.at(-1)))
    expect(begun.reduce((sum, count) => sum + count, 0)).toBe(50)
    await using store = await openSqliteStore({ path })
    const key = { scope: 'scope', owner: 'runtime', since: 0, until: 1_000 }
    expect(await store.quotas?.totals([key])).toEqual([{ runs: 50, tokens: 150, cost: 25 }])
    expect(await store.runs({ scope: 'scope', limit: 1_000 })).toHaveLength(50)
  })
})

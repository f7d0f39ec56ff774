import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openChild } from './__fixtures__/open-child.ts'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { backUpSqliteStore } from './back-up-sqlite-store.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const appendWorker = new URL('./__fixtures__/append-worker.ts', import.meta.url)
const first = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0 }

describe('backUpSqliteStore', () => {
  it('the copy is a separate store with everything that was acknowledged before', async () => {
    await using folder = await openTemporaryFolder()
    const [path, to] = [folder.file('store.db'), folder.file('copies/one.db')]
    await using store = await openSqliteStore({ path })
    await store.append({ ...first, entries: [startedEntry(), saidEntry(2)] })
    await backUpSqliteStore({ path, to })
    await store.append({ ...first, expectedSeq: 2, entries: [saidEntry(3)] })
    await using copy = await openSqliteStore({ path: to })
    expect(await copy.read('r')).toEqual([startedEntry(), saidEntry(2)])
    await copy.append({ ...first, expectedSeq: 2, entries: [saidEntry(3)] })
    expect(await store.read('r')).toHaveLength(3)
  })

  it('the copy is complete when another process writes during the backup', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await using child = openChild(appendWorker, { args: [path, 'r', 'x', '600'] })
    child.start()
    for (const enough of [10, 200, 400]) {
      await child.printed(enough)
      const acknowledged = Number(child.lines.at(-1))
      const to = folder.file(`${enough}.db`)
      await backUpSqliteStore({ path, to })
      await using copy = await openSqliteStore({ path: to })
      const entries = await copy.read('r')
      expect(entries.length).toBeGreaterThanOrEqual(acknowledged)
      expect((await copy.run('r'))?.seq).toBe(entries.length)
    }
  })

  it('the backup overwrites no file and leaves no partial file', async () => {
    await using folder = await openTemporaryFolder()
    const [path, to] = [folder.file('store.db'), folder.file('copy.db')]
    await (await openSqliteStore({ path }))[Symbol.asyncDispose]()
    writeFileSync(to, 'mine')
    await expect(backUpSqliteStore({ path, to })).rejects.toMatchObject({
      info: { code: 'config-invalid', path: 'to' },
    })
    writeFileSync(folder.file('broken.db'), 'no database')
    const failing = backUpSqliteStore({ path: folder.file('broken.db'), to: folder.file('copy2.db') })
    await expect(failing).rejects.toMatchObject({ info: { code: 'store-corrupt' } })
    const missing = backUpSqliteStore({ path: folder.file('nobody.db'), to: folder.file('copy3.db') })
    await expect(missing).rejects.toMatchObject({ info: { code: 'store-unavailable' } })
    expect(existsSync(folder.file('nobody.db'))).toBe(false)
    expect(readdirSync(folder.path).filter(name => name.includes('copy'))).toEqual(['copy.db'])
  })
})

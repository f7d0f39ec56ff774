import { readdirSync, readFileSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { openSqliteStore } from './open-sqlite-store.ts'

const fixtures = new URL('__fixtures__/', import.meta.url)

/** A dump of a store of each released schema, by the name of its newest migration. */
const released = readdirSync(fixtures)
  .flatMap(file => file.match(/^schema-(.+)\.sql$/)?.[1] ?? [])
  .sort()

describe('the schemas of a SQLite store', () => {
  it('the dumps of these tests cover every released schema', async () => {
    await using folder = await openTemporaryFolder()
    expect(query(await fresh(folder.file('store.db')), 'select name from parley_migration order by name')).toEqual(
      released.map(name => ({ name })),
    )
  })

  it('a released schema never changes', async () => {
    await using folder = await openTemporaryFolder()
    const old = folder.file('old.db')
    load(released.at(-1) ?? '', old)
    const schema = 'select type, name, sql from sqlite_master order by type, name'
    expect(query(await fresh(folder.file('store.db')), schema)).toEqual(query(old, schema))
  })

  for (const name of released) {
    it(`a store of schema ${name} is migrated with everything in it`, async () => {
      await using folder = await openTemporaryFolder()
      const path = folder.file('store.db')
      load(name, path)
      await using store = await openSqliteStore({ path })
      expect(await store.read('r')).toEqual([startedEntry(), saidEntry(2)])
      expect(await store.runs({ scope: 'scope' })).toEqual([await store.run('r')])
      expect(await store.run('r')).toMatchObject({ sessionId: 'session', status: 'running', seq: 2 })
      expect(await store.run('r')).not.toHaveProperty('parent')
      expect(await store.run('r2')).toMatchObject({ parent: 'r' })
      expect(await store.claim({ runId: 'r', worker: 'w2', at: 50 })).toMatchObject({ granted: false, worker: 'w' })
      expect(await store.claim({ runId: 'r', worker: 'w2', at: 100 })).toEqual({ granted: true, fence: 3 })
      await store.append({ runId: 'r', worker: 'w2', fence: 3, expectedSeq: 2, entries: [saidEntry(3)] })
      expect(await store.read('r', { afterSeq: 2 })).toEqual([saidEntry(3)])
      const command = { type: 'cancel', reason: { kind: 'user' } } as const
      const kept = name >= '0004' ? [{ position: 1, id: 'i1', at: 2, command }] : []
      expect(await store.inbox?.read('r')).toEqual(kept)
      await store.inbox?.put({ runId: 'r', id: 'i2', at: 3, command })
      expect(await store.inbox?.read('r')).toHaveLength(kept.length + 1)
      const artifact = await store.artifacts?.get({ scope: 'scope', sessionId: 'session' }, 'x1')
      expect(artifact).toEqual(name >= '0005' ? { text: 'long', tool: 't', callId: 'c' } : undefined)
      const notes = await store.notes?.search({ scope: 'scope', query: 'tea' })
      const note = { id: 'n1', text: 'green tea', categories: [], createdAt: 1, updatedAt: 2, uses: 1, lastUsedAt: 3 }
      expect(notes).toEqual(name >= '0007' ? [note] : [])
      const workflow = { name: 'w', version: 1, definition: { steps: [] }, savedAt: 2 }
      expect(await store.workflows?.list({ scope: 'scope' })).toEqual(name >= '0008' ? [workflow] : [])
      const day = { scope: 'scope', owner: 'runtime', since: 0, until: 86_400_000 }
      const total = name >= '0009' ? { runs: 2, tokens: 70, cost: 0.5 } : { runs: 0, tokens: 0, cost: 0 }
      expect(await store.quotas?.totals([day])).toEqual([total])
      const shown = name >= '0011' ? { model: 'test/model', preview: 'green tea', usage: { input: 1, output: 2 } } : {}
      const { model, preview, usage } = (await store.run('r2')) ?? {}
      expect({ model, preview, usage }).toMatchObject({
        model: undefined,
        preview: undefined,
        usage: undefined,
        ...shown,
      })
      expect(await store.runs({ scope: 'other', text: 'tea' })).toHaveLength(name >= '0011' ? 1 : 0)
      expect(await store.reports?.usage({ scope: 'scope' })).toMatchObject([{ usd: name >= '0011' ? 0.5 : 0 }])
    })
  }

  it('a large file is migrated, and keeps its write-ahead log, whether another process uses it or not', async () => {
    for (const isUsed of [false, true]) {
      await using folder = await openTemporaryFolder()
      const path = folder.file('store.db')
      load('0012-run-children', path)
      const other = new SqliteDatabase(path)
      other.pragma('journal_mode = wal')
      other.exec("insert into artifacts values ('large', 'scope', 'session', 2, zeroblob(65000000))")
      if (!isUsed) other.close()
      await using store = await openSqliteStore({ path })
      expect(await store.read('r')).toEqual([startedEntry(), saidEntry(2)])
      expect(query(path, 'pragma journal_mode')).toEqual([{ journal_mode: 'wal' }])
      expect(query(path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
      other.close()
    }
  })

  it('opening a store with the newest schema does not change it', async () => {
    await using folder = await openTemporaryFolder()
    const path = await fresh(folder.file('store.db'))
    const before = readFileSync(path)
    await (await openSqliteStore({ path }))[Symbol.asyncDispose]()
    expect(readFileSync(path)).toEqual(before)
  })
})

async function fresh(path: string): Promise<string> {
  await (await openSqliteStore({ path }))[Symbol.asyncDispose]()
  return path
}

function load(name: string, path: string): void {
  const database = new SqliteDatabase(path)
  database.exec(readFileSync(new URL(`schema-${name}.sql`, fixtures), 'utf8'))
  database.close()
}

function query(path: string, sql: string): unknown {
  const database = new SqliteDatabase(path, { readonly: true })
  const rows = database.prepare(sql).all()
  database.close()
  return rows
}

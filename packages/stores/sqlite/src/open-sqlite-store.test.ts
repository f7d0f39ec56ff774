import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import type { ArtifactStore, DeadLetterStore, NoteStore, RunQuery, Store, WorkflowStore } from '@parley/core'
import {
  describeArtifactContract,
  describeDeadLetterContract,
  describeNoteContract,
  describeStoreContract,
  describeWorkflowContract,
} from '@parley/testing/contract'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { endedEntry, saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { openDatabase } from './open-database.ts'
import { createSqliteStore, openSqliteStore } from './open-sqlite-store.ts'

describeStoreContract('a store in a SQLite file', async () => {
  const folder = await openTemporaryFolder()
  return withCleanup(await openSqliteStore({ path: folder.file('store.db') }), folder)
})
describeStoreContract('a SQLite store in memory', () => openSqliteStore({ path: ':memory:' }))

describeDeadLetterContract('a store in a SQLite file', async () => {
  const folder = await openTemporaryFolder()
  const store = withCleanup(await openSqliteStore({ path: folder.file('store.db') }), folder)
  return {
    deadLetters: store.deadLetters as DeadLetterStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeArtifactContract('a store in a SQLite file', async () => {
  const folder = await openTemporaryFolder()
  const store = withCleanup(await openSqliteStore({ path: folder.file('store.db') }), folder)
  return {
    artifacts: store.artifacts as ArtifactStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeNoteContract('a store in a SQLite file', async () => {
  const folder = await openTemporaryFolder()
  const store = withCleanup(await openSqliteStore({ path: folder.file('store.db') }), folder)
  return {
    notes: store.notes as NoteStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeWorkflowContract('a store in a SQLite file', async () => {
  const folder = await openTemporaryFolder()
  const store = withCleanup(await openSqliteStore({ path: folder.file('store.db') }), folder)
  return {
    workflows: store.workflows as WorkflowStore,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describe('openSqliteStore', () => {
  it('an inbox watch reports commands that another store put, and stops reading when it is disposed', async () => {
    await using folder = await openTemporaryFolder()
    await using mine = await openSqliteStore({ path: folder.file('store.db') })
    await using theirs = await openSqliteStore({ path: folder.file('store.db') })
    await mine.append({ ...first, entries: [startedEntry()] })
    const told = Promise.withResolvers<string>()
    const watch = await mine.inbox?.watch(told.resolve)
    await theirs.inbox?.put({ runId: 'r', id: 'i', at: 1, command: { type: 'cancel', reason: { kind: 'user' } } })
    expect(await told.promise).toBe('r')
    expect(await mine.inbox?.read('r')).toMatchObject([{ id: 'i' }])
    // The cached head of the run is outdated. The run must not end while its inbox has unread items.
    const end = { ...first, expectedSeq: 1, entries: [endedEntry(2)] }
    await expect(mine.append(end)).rejects.toMatchObject({ info: { code: 'inbox-unread' } })
    await mine.append({ ...end, taken: 1 })
    await watch?.[Symbol.asyncDispose]()
  })

  it('journal, record and claim survive closing and opening the store', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await withStore(path, async store => {
      await store.append({ ...first, entries: [startedEntry(), saidEntry(2)] })
      await store.heartbeat({ worker: 'w', at: 0, ttlMs: 100 })
    })
    await withStore(path, async store => {
      expect(await store.read('r')).toEqual([startedEntry(), saidEntry(2)])
      expect(await store.run('r')).toMatchObject({ seq: 2, status: 'running', scope: 'scope' })
      expect(await store.claim({ runId: 'r', worker: 'w2', at: 50 })).toMatchObject({ granted: false, worker: 'w' })
      await store.append({ ...first, expectedSeq: 2, entries: [saidEntry(3)] })
    })
  })

  it('openSqliteStore creates missing folders', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('a/b/store.db')
    await withStore(path, async store => expect(store.name).toBe(path))
    expect(existsSync(path)).toBe(true)
  })

  it('openSqliteStore opens an empty file as a new store', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await copyFile('/dev/null', path)
    await withStore(path, store => store.append({ ...first, entries: [startedEntry()] }))
  })

  it('openSqliteStore uses the write-ahead log and syncs each append only with synchronous full', async () => {
    await using folder = await openTemporaryFolder()
    for (const [synchronous, level] of [
      ['normal', 1],
      ['full', 2],
    ] as const) {
      const database = openDatabase({ path: folder.file(`${synchronous}.db`), synchronous })
      expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
      expect(database.pragma('synchronous', { simple: true })).toBe(level)
      database.close()
    }
  })

  it('a closed store is complete in its one file, even while another store has it open', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await using other = await openSqliteStore({ path })
    await withStore(path, store => store.append({ ...first, entries: [startedEntry(), saidEntry(2)] }))
    await copyFile(path, folder.file('copy.db'))
    await withStore(folder.file('copy.db'), async store => expect(await store.read('r')).toHaveLength(2))
    expect(await other.read('r')).toHaveLength(2)
  })

  it('closing the last store removes the log files', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await withStore(path, store => store.append({ ...first, entries: [startedEntry()] }))
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(existsSync(`${path}-shm`)).toBe(false)
  })

  it('every call on a closed SQLite store fails with store-unavailable', async () => {
    const store = await openSqliteStore({ path: ':memory:' })
    const running = store.read('r')
    await store[Symbol.asyncDispose]()
    const calls = [
      store.append({ ...first, entries: [startedEntry()] }),
      store.read('r'),
      store.run('r'),
      store.runs({ scope: 'scope' }),
      store.claim({ runId: 'r', worker: 'w', at: 0 }),
      store.heartbeat({ worker: 'w', at: 0, ttlMs: 1 }),
    ]
    for (const call of [running, ...calls]) {
      await expect(call).rejects.toMatchObject({ info: { code: 'store-unavailable', store: ':memory:' } })
    }
  })

  it('a store sees the appends of another store on the same file and is fenced by its claim', async () => {
    await using folder = await openTemporaryFolder()
    await using mine = await openSqliteStore({ path: folder.file('store.db') })
    await using theirs = await openSqliteStore({ path: folder.file('store.db') })
    await mine.append({ ...first, entries: [startedEntry()] })
    expect(await theirs.read('r')).toHaveLength(1)
    await theirs.claim({ runId: 'r', worker: 'w2', at: 0 })
    const late = mine.append({ ...first, expectedSeq: 1, entries: [saidEntry(2)] })
    await expect(late).rejects.toMatchObject({ info: { code: 'store-fenced', runId: 'r' } })
  })

  it('every query for runs uses an index', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await withStore(path, async () => {})
    const database = new SqliteDatabase(path, { readonly: true })
    for (const filter of ['', 'and session_id = 1', 'and status = 1']) {
      const sql = `explain query plan select * from runs where scope = 1 ${filter} order by started_at desc, run_id desc`
      const steps = database.prepare<[], { detail: string }>(sql).all()
      expect(steps.map(step => step.detail)).toEqual([expect.stringMatching(/^SEARCH runs USING INDEX runs_by_/)])
    }
    database.close()
  })

  it('a list begins with the index of its narrowest field, and skips other runs within it', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    const asked: string[] = []
    await withStore(path, async () => {})
    const database = new SqliteDatabase(path, { verbose: sql => asked.push(String(sql)) })
    await using store = await createSqliteStore(database, { name: path, attempt: call => call(), busyTimeoutMs: 5_000 })
    const [agent, sessionId, parent, relation] = ['a', 's', 'p', 'initial'] as const
    const lists: readonly [Omit<RunQuery, 'scope'>, string][] = [
      [{ status: 'failed', agent }, 'runs_by_status'],
      [{ status: 'completed', agent }, 'runs_by_agent'],
      [{ status: 'completed', relation }, 'runs_by_status'],
      [{ agent, relation }, 'runs_by_agent'],
      [{ relation }, 'runs_by_relation'],
      [{ status: 'suspended', sessionId }, 'runs_by_session'],
      [{ status: 'failed', agent, parent }, 'runs_by_parent'],
      [{ status: 'running', agent, text: 'tea' }, 'runs_by_status'],
    ]
    for (const [query, index] of lists) {
      asked.length = 0
      await store.runs({ scope: 'scope', ...query })
      const list = asked.at(-1) ?? ''
      const steps = database.prepare<[], { detail: string }>(`explain query plan ${list}`).all()
      expect(steps.map(step => step.detail).join('\n')).toMatch(
        new RegExp(`SEARCH runs USING (COVERING )?INDEX ${index} `),
      )
    }
    for (const index of ['runs_by_status', 'runs_by_agent']) {
      const columns = database.prepare<[], string>(`select name from pragma_index_info('${index}')`).pluck().all()
      expect(columns).toEqual(expect.arrayContaining(['status', 'agent', 'relation']))
    }
  })

  it('a search for notes looks up only the words of the query, with an index', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    const asked: string[] = []
    await withStore(path, async () => {})
    const database = new SqliteDatabase(path, { verbose: sql => asked.push(String(sql)) })
    await using store = await createSqliteStore(database, { name: path, attempt: call => call(), busyTimeoutMs: 5_000 })
    await store.notes?.put({ scope: 'scope', id: 'n', at: 1, text: 'green tea' })
    asked.length = 0
    await store.notes?.search({ scope: 'scope', query: 'tea in a cup' })
    const [search = ''] = asked
    expect(search).toContain('memory_words')
    const steps = database.prepare<[], { detail: string }>(`explain query plan ${search}`).all()
    const looks = steps.map(({ detail }) => detail).filter(detail => detail.includes('memory_words'))
    expect(looks).toHaveLength(4)
    for (const look of looks) expect(look).toMatch(/^SEARCH memory_words USING .*INDEX \S+ \(scope=\? AND word[=>]/)
  })
})

const first = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0 }

async function withStore(path: string, use: (store: Store) => Promise<void>): Promise<void> {
  await using store = await openSqliteStore({ path })
  await use(store)
}

function withCleanup(store: Store, folder: AsyncDisposable): Store {
  return {
    ...store,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

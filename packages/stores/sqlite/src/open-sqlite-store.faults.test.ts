import {
  chmodSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ParleyError, type ErrorCode, type Store } from '@parley/core'
import SqliteDatabase, { type Database } from 'better-sqlite3'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openChild } from './__fixtures__/open-child.ts'
import { endedEntry, saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openTemporaryFolder } from './__fixtures__/temporary-folder.ts'
import { retryWhileLocked } from './retry-while-locked.ts'
import { openDatabase } from './open-database.ts'
import { createSqliteStore, openSqliteStore } from './open-sqlite-store.ts'

describe('a SQLite store that cannot be opened', () => {
  it('openSqliteStore rejects a path that is a folder with store-unavailable', async () => {
    await using folder = await openTemporaryFolder()
    await refused(openSqliteStore({ path: folder.path }), 'store-unavailable', folder.path, 'is a folder')
  })

  it('openSqliteStore rejects a path below a file with store-unavailable', async () => {
    await using folder = await openTemporaryFolder()
    writeFileSync(folder.file('file'), '')
    await refused(openSqliteStore({ path: folder.file('file/store.db') }), 'store-unavailable', 'path cannot be used')
    await refused(openSqliteStore({ path: folder.file('file/a/store.db') }), 'store-unavailable', 'path cannot be used')
  })

  it('openSqliteStore rejects a folder or file without write permission with store-unavailable', async () => {
    await using folder = await openTemporaryFolder()
    chmodSync(folder.path, 0o755)
    mkdirSync(folder.file('locked'), { mode: 0o555 })
    expect(await openAsNobody(folder.file('locked/store.db'))).toMatchObject({
      code: 'store-unavailable',
      detail: expect.stringContaining('permissions'),
    })
    expect(await openAsNobody(folder.file('locked/a/store.db'))).toMatchObject({ code: 'store-unavailable' })
    await (await openSqliteStore({ path: folder.file('store.db') }))[Symbol.asyncDispose]()
    chmodSync(folder.file('store.db'), 0o444)
    expect(await openAsNobody(folder.file('store.db'))).toMatchObject({
      code: 'store-unavailable',
      detail: expect.stringContaining('permissions'),
    })
  })

  it('openSqliteStore rejects a file that is not a database with store-corrupt', async () => {
    await using folder = await openTemporaryFolder()
    for (const content of [randomBytes(20_000), Buffer.from('hello\n'), randomBytes(100)]) {
      writeFileSync(folder.file('store.db'), content)
      await refused(openSqliteStore({ path: folder.file('store.db') }), 'store-corrupt', 'not an SQLite database')
      expect(readFileSync(folder.file('store.db'))).toEqual(content)
    }
  })

  it('openSqliteStore rejects a truncated file with store-corrupt', async () => {
    await using folder = await openTemporaryFolder()
    for (const left of [0.9, 0.5, 0.1]) {
      const path = folder.file(`${left}.db`)
      await fill(path, 300)
      truncateSync(path, Math.floor(statSync(path).size * left))
      await refused(openSqliteStore({ path }), 'store-corrupt', path)
    }
  })

  it('openSqliteStore rejects a file with damaged pages with store-corrupt', async () => {
    await using folder = await openTemporaryFolder()
    await fill(folder.file('store.db'), 300)
    damage(folder.file('store.db'), 0.5)
    await refused(openSqliteStore({ path: folder.file('store.db') }), 'store-corrupt')
  })

  it('openSqliteStore rejects a file with other tables with store-corrupt', async () => {
    await using folder = await openTemporaryFolder()
    await fill(folder.file('store.db'), 1)
    change(folder.file('store.db'), database => database.exec('alter table runs rename column fence to wall'))
    await refused(openSqliteStore({ path: folder.file('store.db') }), 'store-corrupt', 'tables', 'fence')
  })

  it('openSqliteStore rejects a newer schema with store-newer and does not change the file', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await fill(path, 1)
    change(path, database => database.exec("insert into parley_migration values ('9999-future', '2030-01-01')"))
    const before = readFileSync(path)
    const opening = openSqliteStore({ path })
    await expect(opening).rejects.toMatchObject({
      info: { code: 'store-newer', store: path, found: '9999-future', known: '0017-word-marks' },
    })
    expect(readFileSync(path)).toEqual(before)
  })

  it('openSqliteStore rejects the database of another program', async () => {
    await using folder = await openTemporaryFolder()
    change(folder.file('store.db'), database => database.exec('create table runs (distance real)'))
    await refused(openSqliteStore({ path: folder.file('store.db') }), 'store-unavailable', 'another program', 'runs')
  })

  it('openSqliteStore fails with store-unavailable if another process locks the file', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await fill(path, 1)
    const other = new SqliteDatabase(path)
    other.pragma('locking_mode = exclusive')
    other.exec('begin exclusive')
    await refused(openSqliteStore({ path, busyTimeoutMs: 30 }), 'store-unavailable', 'locked for 30 ms')
    other.close()
  })
})

describe('a SQLite store that fails while it is used', () => {
  it('an append fails if another process locks the file for too long, and the store works again after that', async () => {
    await using folder = await openTemporaryFolder()
    await using store = await openSqliteStore({ path: folder.file('store.db'), busyTimeoutMs: 30 })
    const other = new SqliteDatabase(folder.file('store.db'))
    other.exec('begin immediate')
    await refused(store.append(start), 'store-unavailable', 'locked for 30 ms')
    await refused(store.heartbeat({ worker: 'w', at: 0, ttlMs: 1 }), 'store-unavailable', 'locked for 30 ms')
    expect(await store.read('r')).toEqual([])
    other.close()
    await store.append(start)
  })

  it('an append waits for a lock without blocking the process', async () => {
    await using folder = await openTemporaryFolder()
    await using store = await openSqliteStore({ path: folder.file('store.db') })
    const other = new SqliteDatabase(folder.file('store.db'))
    other.exec('begin immediate')
    const appending = store.append(start)
    // The lock is released by a timer of this process, which runs only if the process is not blocked.
    setTimeout(() => other.exec('commit'), 60)
    await appending
    other.close()
    expect(await store.read('r')).toHaveLength(1)
  })

  it('an append that is aborted while it waits for a lock rejects with the reason and writes nothing', async () => {
    await using folder = await openTemporaryFolder()
    await using store = await openSqliteStore({ path: folder.file('store.db') })
    const other = new SqliteDatabase(folder.file('store.db'))
    other.exec('begin immediate')
    const controller = new AbortController()
    setTimeout(() => controller.abort('enough'), 20)
    await expect(store.append(start, { signal: controller.signal })).rejects.toBe('enough')
    other.exec('commit')
    other.close()
    // Steady: nothing announces that the store does not try again. On a loaded machine the test can only miss a fault.
    await new Promise(resolve => setTimeout(resolve, 60))
    expect(await store.read('r')).toEqual([])
  })

  it('an append to a full disk is undone, and the store works again when there is space', async () => {
    await using folder = await openTemporaryFolder()
    const database = openDatabase({ path: folder.file('store.db'), synchronous: 'normal' })
    const attempt = retryWhileLocked({ name: 'store', busyTimeoutMs: 0 })
    await using store = await createSqliteStore(database, { name: 'store', attempt, busyTimeoutMs: 5_000 })
    await store.append(start)
    const pages = Number(database.pragma('page_count', { simple: true }))
    database.pragma(`max_page_count = ${pages + 2}`)
    const entries = [saidEntry(2), saidEntry(3, 'x'.repeat(100_000))]
    await refused(store.append({ ...start, expectedSeq: 1, entries }), 'store-unavailable', 'disk is full')
    expect(await store.read('r')).toEqual([startedEntry()])
    expect(await store.run('r')).toMatchObject({ seq: 1 })
    database.pragma(`max_page_count = ${pages + 1_000}`)
    await store.append({ ...start, expectedSeq: 1, entries })
    expect(await store.read('r')).toEqual([startedEntry(), ...entries])
  })

  it('a failed disk write is store-unavailable, and the store keeps what it has acknowledged', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    // Writes beyond the process's file size limit fail like writes to a broken disk.
    const worker = fileURLToPath(new URL('__fixtures__/append-until-refused.ts', import.meta.url))
    const args = ['-c', 'ulimit -f 1000; exec "$0" "$@"', process.execPath, '--conditions=@parley/source', worker, path]
    const { stdout } = await promisify(execFile)('sh', args)
    const { acknowledged, readable, info } = JSON.parse(stdout) as {
      acknowledged: number
      readable: number
      info: unknown
    }
    expect(info).toMatchObject({ code: 'store-unavailable', store: path })
    expect((info as { detail: string }).detail).toMatch(/^the disk failed \(disk I\/O error\)/)
    expect(acknowledged).toBeGreaterThan(10)
    expect(readable).toBe(acknowledged)
    await using store = await openSqliteStore({ path })
    expect((await store.read('r')).map(entry => entry.seq)).toEqual(
      Array.from({ length: acknowledged }, (_, at) => at + 1),
    )
    await store.append({ ...start, expectedSeq: acknowledged, entries: [saidEntry(acknowledged + 1)] })
  })

  it('a read of a damaged, misplaced or missing row names run and entry', async () => {
    const faults = [
      ["update appends set entries = '{' where (id & 4294967295) = 3", 'entries up to 3 ', 'not JSON'],
      [
        "update appends set entries = '{}' where (id & 4294967295) = 3",
        'entries up to 3 ',
        'must be a non-empty array',
      ],
      [
        "update appends set entries = json_set(entries, '$[0].type', 'nonsense') where (id & 4294967295) = 3",
        'entry 2 ',
        'type',
      ],
      [
        "update appends set entries = json_set(entries, '$[1].seq', 7) where (id & 4294967295) = 3",
        'entry 3 ',
        'number 7',
      ],
      ["update appends set entries = json_remove(entries, '$[0]') where (id & 4294967295) = 3", 'entry 2 ', 'missing'],
      ['update appends set id = id - 1 where (id & 4294967295) = 3', 'entry 1 ', 'number 2'],
      ['delete from appends where (id & 4294967295) = 1', 'entry 1 ', 'missing'],
      ['delete from appends where (id & 4294967295) = 3', 'entry 2 ', 'missing'],
      ['delete from appends where (id & 4294967295) = 4', 'entry 4 ', '4 entries'],
      ['delete from appends', 'entry 1 ', 'missing'],
    ] as const
    await using folder = await openTemporaryFolder()
    for (const [index, [sql, place, detail]] of faults.entries()) {
      const path = folder.file(`${index}.db`)
      await end(path)
      change(path, database => database.exec(sql))
      await using store = await openSqliteStore({ path })
      await refused(store.read('r'), 'store-corrupt', `${path}, run r, ${place}`, detail)
    }
  })

  it('a read of a store with random damage fails with store-corrupt or returns whole journals', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await fill(path, 60)
    const whole = readFileSync(path)
    const place = fc.oneof(fc.nat({ max: 4_095 }), fc.nat({ max: whole.length - 1 }))
    await fc.assert(
      fc.asyncProperty(place, fc.uint8Array({ minLength: 1, maxLength: 64 }), async (offset, bytes) => {
        for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
        writeFileSync(path, whole)
        overwrite(path, offset, bytes)
        const numbers = await useDamaged(path)
        if (numbers !== undefined) expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => at + 1))
      }),
      { numRuns: 150 },
    )
  })

  it('a file that is too large for the opening check fails with store-corrupt when the damage is read', async () => {
    await using folder = await openTemporaryFolder()
    const path = folder.file('store.db')
    await fill(path, 3_000, 'x'.repeat(3_000))
    damage(path, 0.5)
    await using store = await openSqliteStore({ path })
    await refused(store.read('r'), 'store-corrupt')
  })
})

const start = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0, entries: [startedEntry()] }

/** Creates a closed store with one run of `1 + count` entries, each in its own append. */
async function fill(path: string, count: number, text?: string): Promise<void> {
  await using store: Store = await openSqliteStore({ path })
  await store.append(start)
  for (let seq = 1; seq <= count; seq++) {
    await store.append({ ...start, expectedSeq: seq, entries: [saidEntry(seq + 1, text)] })
  }
}

/** Creates a closed store with one ended run of four entries in three appends. */
async function end(path: string): Promise<void> {
  await using store: Store = await openSqliteStore({ path })
  await store.append(start)
  await store.append({ ...start, expectedSeq: 1, entries: [saidEntry(2), saidEntry(3)] })
  await store.append({ ...start, expectedSeq: 3, entries: [endedEntry(4)] })
}

function change(path: string, edit: (database: Database) => void): void {
  const database = new SqliteDatabase(path)
  edit(database)
  database.close()
}

/** Overwrites four pages, starting at this share of the file. */
function damage(path: string, share: number): void {
  overwrite(path, Math.floor((statSync(path).size * share) / 4_096) * 4_096, Buffer.alloc(16_384, 0xff))
}

function overwrite(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}

/** Returns the numbers of the run's entries, or `undefined` if the store reports damage. */
async function useDamaged(path: string): Promise<readonly number[] | undefined> {
  try {
    await using store = await openSqliteStore({ path, busyTimeoutMs: 0 })
    const entries = await store.read('r')
    await store.heartbeat({ worker: 'w', at: 0, ttlMs: 1 })
    await store.claim({ runId: 'r', worker: 'w', at: 0, force: true })
    return entries.map(entry => entry.seq)
  } catch (error) {
    if (ParleyError.is(error)) return undefined
    throw error
  }
}

/** Opens the store as an unprivileged user, because root ignores file permissions. */
async function openAsNobody(path: string): Promise<unknown> {
  await using child = openChild(new URL('./__fixtures__/open-once.ts', import.meta.url), {
    args: [path],
    uid: process.getuid?.() === 0 ? 65_534 : undefined,
  })
  await child.printed(1)
  return JSON.parse(child.lines[0] ?? '')
}

async function refused(call: Promise<unknown>, code: ErrorCode, ...words: readonly string[]): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toMatchObject({ info: { code } })
  for (const word of words) expect(String(error)).toContain(word)
}

import { createTcpRelay } from './__fixtures__/tcp-relay.ts'
import { ParleyError, type Store } from '@parley/core'
import { describe, expect, inject, it } from 'vitest'
import { freePort } from '@parley-tooling/test-run/free-port'
import { openSchema, type TemporarySchema } from './__fixtures__/open-schema.ts'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const first = { runId: 'r', worker: 'w', fence: 1, expectedSeq: 0 }

describe('a PostgreSQL store that cannot be opened', () => {
  it('openPostgresStore fails at once with store-unavailable without a server, and the error does not contain the password', async () => {
    const port = await freePort()
    const opening = openPostgresStore({ url: `postgres://me:hidden@127.0.0.1:${port}/runs` })
    const error = await refused(opening, 'store-unavailable', `127.0.0.1:${port}/runs`, 'could not be reached')
    expect(error.message).not.toContain('hidden')
  })

  it('openPostgresStore fails with store-unavailable if the password, the database or the host is wrong', async () => {
    const wrong = new URL(inject('postgresUrl'))
    wrong.password = 'wrong'
    await refused(openPostgresStore({ url: wrong.href }), 'store-unavailable', 'the user or the password')
    const nowhere = new URL(inject('postgresUrl'))
    nowhere.pathname = '/nowhere'
    await refused(openPostgresStore({ url: nowhere.href }), 'store-unavailable', 'no such database')
    await refused(openPostgresStore({ url: 'postgres://me@host.invalid/runs' }), 'store-unavailable', 'host.invalid')
  })

  it('openPostgresStore rejects invalid options with config-invalid, and the error does not contain the address', async () => {
    const error = await refused(openPostgresStore({ url: 'me:hidden@host' }), 'config-invalid', 'postgres://')
    expect(error.message).not.toContain('hidden')
    const url = inject('postgresUrl')
    await refused(openPostgresStore({ url, connections: 0 }), 'config-invalid', 'connections', '0')
    await refused(openPostgresStore({ url, waitMs: -1 }), 'config-invalid', 'waitMs', '-1')
    await refused(openPostgresStore({ url, statementTimeoutMs: 0.5 }), 'config-invalid', 'statementTimeoutMs')
  })

  it('openPostgresStore rejects a newer schema with store-newer', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await (await open(place))[Symbol.asyncDispose]()
    await place.query("insert into parley_migration values ('9999-future', '2030-01-01')")
    const opening = open(place)
    await expect(opening).rejects.toMatchObject({
      info: { code: 'store-newer', found: '9999-future', known: '0017-word-marks' },
    })
  })

  it('openPostgresStore rejects other tables with store-corrupt', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await (await open(place))[Symbol.asyncDispose]()
    await place.query('alter table runs rename to walks')
    await refused(open(place), 'store-corrupt', 'tables', 'runs')
  })
})

describe('many openers of a PostgreSQL store', () => {
  it('processes that open a new store at the same time create the tables once', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    const stores = await Promise.all(Array.from({ length: 16 }, () => open(place)))
    const made = (await place.query('select name from parley_migration')).map(({ name }) => name)
    expect(made).toContain('0001-journal')
    expect(new Set(made).size).toBe(made.length)
    for (const store of stores) await store[Symbol.asyncDispose]()
  })

  it('openPostgresStore creates its tables while another client drops other schemas', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    const opened = new AbortController()
    const dropSchemas = async () => {
      for (let number = 0; !opened.signal.aborted; number++) {
        const name = `${place.schema}_dropped_${number}`
        await place.query(`create schema "${name}"; create table "${name}".t (a int, b int, c int)`)
        await place.query(`drop schema "${name}" cascade`)
      }
    }
    const dropping = dropSchemas()
    for (let number = 0; number < 20; number++) {
      const schema = `${place.schema}_opened_${number}`
      await using store = await openPostgresStore({ url: place.url, schema })
      expect(await store.runs({ scope: 'scope' })).toEqual([])
      await place.query(`drop schema "${schema}" cascade`)
    }
    opened.abort()
    await dropping
  })

  it('openPostgresStore accepts a schema of any name', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    const schema = `${place.schema} "Odd\\`
    const opened = await openPostgresStore({ url: place.url, schema })
    await opened.append({ ...first, entries: [startedEntry()] })
    await opened[Symbol.asyncDispose]()
    await using again = await openPostgresStore({ url: place.url, schema })
    expect(await again.read('r')).toEqual([startedEntry()])
    await place.query(`drop schema "${schema.replaceAll('"', '""')}" cascade`)
  })

  it('stores in different schemas of one database are separate', async () => {
    await using one = await openSchema(inject('postgresUrl'))
    await using two = await openSchema(inject('postgresUrl'))
    await using mine = await open(one)
    await using theirs = await open(two)
    await mine.append({ ...first, entries: [startedEntry()] })
    expect(await theirs.run('r')).toBeUndefined()
  })
})

describe('a PostgreSQL store that is used', () => {
  it('the PostgreSQL store orders ids by code points, independent of the locale', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await open(place)
    for (const runId of ['a', 'B', '_', 'ä', 'Z']) await store.append({ ...first, runId, entries: [startedEntry()] })
    expect((await store.runs({ scope: 'scope' })).map(run => run.runId)).toEqual(['ä', 'a', '_', 'Z', 'B'])
  })

  it('every query for runs uses an index', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using _store = await open(place)
    await place.query('set enable_seqscan = off; set enable_sort = off')
    for (const filter of ['', "and session_id = 'a'", "and status = 'a'"]) {
      const plan = await place.query(
        `explain select * from runs where scope = 'a' ${filter} order by started_at desc, run_id desc limit 10`,
      )
      expect(JSON.stringify(plan)).toMatch(/Index Scan using runs_by_/)
    }
  })

  it('a list by status and agent compares both within an index', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using _store = await open(place)
    await place.query('set enable_seqscan = off; set enable_sort = off')
    const plan = await place.query(`explain select * from runs where scope = 'a' and status = 'failed' and agent = 'a'
      and relation = 'initial' order by started_at desc, run_id desc limit 10`)
    expect(JSON.stringify(plan)).toMatch(/Index Cond: (?=.*status =)(?=.*agent =).*relation =/)
  })

  it('a claim of an old run writes the page of its row, and changes no index', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await open(place)
    const ids = Array.from({ length: 200 }, (_, index) => `run-${index}`)
    for (const runId of ids) await store.append({ ...first, runId, entries: [startedEntry(runId)] })
    const pagesOf = (): Promise<readonly unknown[]> =>
      place.query('select run_id, (ctid::text::point)[0] as page from runs order by run_id')
    const before = await pagesOf()
    // At most one claim of each page, as on a large store.
    const old = ids.filter((_, index) => index % 40 === 0)
    for (const runId of old) await store.claim({ runId, worker: 'w2', at: 0, force: true })
    expect(await pagesOf()).toEqual(before)
    const indexes = await place.query(`select indexdef from pg_indexes where tablename = 'runs'
      and schemaname = current_schema() and indexdef ~ '\\m(worker|fence)\\M'`)
    expect(indexes).toEqual([])
  })

  it('the PostgreSQL store serves many concurrent calls with few connections', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema, connections: 2 })
    const ids = Array.from({ length: 200 }, (_, index) => `run-${index}`)
    await Promise.all(
      ids.map(runId => store.append({ ...first, runId, sessionHead: null, entries: [startedEntry(runId)] })),
    )
    expect(await store.runs({ scope: 'scope', limit: 1_000 })).toHaveLength(200)
  })

  it('a call fails with store-unavailable if no connection is free, and the store works again after that', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema, connections: 1, waitMs: 250 })
    await place.query('begin; lock table runs in access exclusive mode')
    const held = store.run('r')
    await refused(store.run('r'), 'store-unavailable', 'no connection was free for 250 ms')
    await place.query('commit')
    expect(await held).toBeUndefined()
    expect(await store.run('r')).toBeUndefined()
  })

  it('a call that is aborted while it waits for a connection or a lock rejects with the reason', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema, connections: 1 })
    await place.query('begin; lock table runs in access exclusive mode')
    const controller = new AbortController()
    const calls = [store.run('r', controller), store.run('r', controller)]
    setTimeout(() => controller.abort('enough'), 20)
    for (const call of calls) await expect(call).rejects.toBe('enough')
    await place.query('commit')
    expect(await store.run('r')).toBeUndefined()
  })

  it('a statement that takes too long fails with store-unavailable', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    const options = { url: place.url, schema: place.schema, statementTimeoutMs: 1000 }
    await using store = await openPostgresStore(options)
    await place.query('begin; lock table runs in access exclusive mode')
    await refused(store.append({ ...first, entries: [startedEntry()] }), 'store-unavailable', 'took too long')
    await place.query('commit')
    await store.append({ ...first, entries: [startedEntry()] })
  })

  it('the PostgreSQL store continues after the loss of all its connections', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await open(place)
    await store.append({ ...first, entries: [startedEntry()] })
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'parley' and pid <> pg_backend_pid()`
    for (let seq = 2; seq < 22; seq++) {
      const appending = store.append({ ...first, expectedSeq: seq - 1, entries: [saidEntry(seq)] })
      await place.query(cut)
      await appending
    }
    expect((await store.read('r')).map(entry => entry.seq)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
  })

  it('an append whose response is lost is written once', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using relay = await createTcpRelay(place.url)
    await using store = await openPostgresStore({ url: relay.url, schema: place.schema, connections: 1 })
    const head = { ...first, sessionHead: null }
    relay.loseAnswerTo('insert into')
    await store.append({ ...head, entries: [startedEntry()] })
    relay.loseAnswerTo('update')
    await store.append({ ...first, expectedSeq: 1, entries: [saidEntry(2)] })
    relay.loseAnswerTo('commit')
    await store.append({ ...head, runId: 'other', sessionHead: 'r', entries: [startedEntry()] })
    expect(relay.lost).toBe(3)
    expect(await store.read('r')).toEqual([startedEntry(), saidEntry(2)])
    expect(await store.read('other')).toEqual([startedEntry()])
  })

  it('a stale append is rejected when it is repeated after a lost connection', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using relay = await createTcpRelay(place.url)
    await using store = await openPostgresStore({ url: relay.url, schema: place.schema, connections: 1 })
    await store.append({ ...first, entries: [startedEntry(), saidEntry(2)] })
    relay.loseAnswerTo('select')
    const stale = store.append({ ...first, expectedSeq: 1, entries: [saidEntry(2, 'other')] })
    await refused(stale, 'store-conflict')
    expect(relay.lost).toBe(1)
  })

  it('an inbox watch reports commands of another process, also after its connections broke', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using mine = await open(place)
    await using theirs = await open(place)
    await mine.append({ ...first, entries: [startedEntry()] })
    let told = Promise.withResolvers<string>()
    await using _watch = await mine.inbox?.watch(runId => told.resolve(runId))
    const item = { runId: 'r', at: 1, command: { type: 'cancel', reason: { kind: 'user' } } } as const
    await theirs.inbox?.put({ ...item, id: 'one' })
    expect(await told.promise).toBe('r')
    await place.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'parley' and query like 'listen%'`,
    )
    await mine.append({ ...first, expectedSeq: 1, entries: [saidEntry(2)], taken: 1 })
    told = Promise.withResolvers()
    await theirs.inbox?.put({ ...item, id: 'two' })
    expect(await told.promise).toBe('r')
  })

  it('a command whose response is lost is put into the inbox once', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using relay = await createTcpRelay(place.url)
    await using store = await openPostgresStore({ url: relay.url, schema: place.schema, connections: 1 })
    await store.append({ ...first, entries: [startedEntry()] })
    for (const [id, words] of ['update', 'insert into', 'commit'].entries()) {
      relay.loseAnswerTo(words)
      const command = { type: 'cancel', reason: { kind: 'user' } } as const
      expect(await store.inbox?.put({ runId: 'r', id: `i${id}`, at: 1, command })).toBe('running')
    }
    expect(relay.lost).toBe(3)
    expect((await store.inbox?.read('r'))?.map(({ id, position }) => [id, position])).toEqual([
      ['i0', 1],
      ['i1', 2],
      ['i2', 3],
    ])
  })

  it('every call on a closed PostgreSQL store fails with store-unavailable', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    const store = await open(place)
    await store[Symbol.asyncDispose]()
    await refused(store.run('r'), 'store-unavailable', 'has been closed')
  })
})

function open({ url, schema }: TemporarySchema): Promise<Store> {
  return openPostgresStore({ url, schema, connections: 4 })
}

async function refused(call: Promise<unknown>, code: string, ...words: readonly string[]): Promise<ParleyError> {
  const error = await call.then(
    () => new Error('it was not refused'),
    (thrown: unknown) => thrown,
  )
  if (!ParleyError.is(error)) throw error
  expect(error.info.code).toBe(code)
  for (const word of words) expect(error.message).toContain(word)
  return error
}

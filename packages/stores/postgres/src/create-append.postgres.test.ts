import { ParleyError, type Store } from '@parley/core'
import { describe, expect, inject, it } from 'vitest'
import { openSchema } from './__fixtures__/open-schema.ts'
import { saidEntry, startedEntry } from './__fixtures__/sample-entry.ts'
import { createTcpRelay } from './__fixtures__/tcp-relay.ts'
import { openPostgresStore } from './open-postgres-store.ts'

const RUNS = 20
const runIds = Array.from({ length: RUNS }, (_, index) => `run-${String(index).padStart(2, '0')}`)
const head = { worker: 'w', fence: 1 }

describe('appends of concurrent runs', () => {
  it('concurrent appends share a few statements, and each journal has its own entries', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema })
    await start(store)
    const transactions = `select distinct xmin::text from appends where seq = 2`
    await Promise.all(runIds.map(runId => store.append(second(runId))))
    expect((await place.query(transactions)).length).toBeLessThanOrEqual(2)
    for (const runId of runIds) expect(await store.read(runId)).toEqual([startedEntry(runId), saidEntry(2, runId)])
  })

  it('an append looks its run up by id, on a store without statistics too', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    const store = await openPostgresStore({ url: place.url, schema: place.schema })
    await place.query('alter table runs set (autovacuum_enabled = off)')
    for (const runId of runIds) {
      await store.append({ ...head, runId, expectedSeq: 0, entries: [startedEntry(runId)] })
      await store.append(second(runId))
    }
    // A connection reports what it has read when it ends.
    await store[Symbol.asyncDispose]()
    const lookUps = `select seq_tup_read::int, idx_scan::int from pg_stat_user_tables where schemaname = '${place.schema}' and relname = 'runs'`
    await expect
      .poll(async () => (await place.query(lookUps))[0]?.['idx_scan'], { timeout: 5_000 })
      .toBeGreaterThanOrEqual(RUNS)
    expect(await place.query(lookUps)).toMatchObject([{ seq_tup_read: 0 }])
  })

  it('a stale append in a shared statement is rejected alone', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema })
    await using other = await openPostgresStore({ url: place.url, schema: place.schema })
    await start(store)
    // The first store still knows these runs as they were.
    await other.append(second('run-03'))
    await other.claim({ runId: 'run-07', worker: 'thief', at: 1, force: true })
    await other.inbox?.put({ runId: 'run-11', id: 'c', at: 1, command: { type: 'cancel', reason: { kind: 'user' } } })
    const ended = { ...saidEntry(2), type: 'run.suspended', requests: [] } as never
    const results = await Promise.allSettled(
      runIds.map(runId => store.append(runId === 'run-11' ? { ...second(runId), entries: [ended] } : second(runId))),
    )
    const codes = results.map((result, index) =>
      result.status === 'fulfilled' ? [] : [runIds[index], codeOf(result.reason)],
    )
    expect(codes.filter(({ length }) => length > 0)).toEqual([
      ['run-03', 'store-conflict'],
      ['run-07', 'store-fenced'],
      ['run-11', 'inbox-unread'],
    ])
    for (const runId of ['run-07', 'run-11']) expect(await store.read(runId)).toHaveLength(1)
  })

  it('an append that the server refuses fails alone, and the other appends of its statement are written', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema })
    await start(store)
    const impossible = { ...second('run-05'), entries: [{ ...saidEntry(2), at: 1e30 }] }
    const results = await Promise.allSettled(
      runIds.map(runId => store.append(runId === 'run-05' ? impossible : second(runId))),
    )
    expect(results.flatMap((result, index) => (result.status === 'rejected' ? [runIds[index]] : []))).toEqual([
      'run-05',
    ])
    for (const runId of runIds) expect(await store.read(runId)).toHaveLength(runId === 'run-05' ? 1 : 2)
  })

  it('one of two runs that start from the same point of a session is written, wherever both are in a shared statement', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using here = await openPostgresStore({ url: place.url, schema: place.schema })
    await using there = await openPostgresStore({ url: place.url, schema: place.schema })
    const starts = runIds.map(async (runId, index) => {
      const session = `session-${index >> 1}`
      const store = index % 4 < 2 ? here : [here, there][index % 2]
      await store?.append({ ...head, runId, expectedSeq: 0, sessionHead: null, entries: [startedEntry(session)] })
    })
    const results = await Promise.allSettled(starts)
    for (let pair = 0; pair < RUNS / 2; pair++) {
      const both = results.slice(pair * 2, pair * 2 + 2)
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      expect(both.flatMap(result => (result.status === 'rejected' ? [codeOf(result.reason)] : []))).toEqual([
        'session-busy',
      ])
    }
  })

  it.each([
    ['insert into runs', 'starts'],
    ['commit', 'starts'],
    ['update runs', 'continues'],
  ])('the store writes appends once whose shared response to %s is lost', async (words, kind) => {
    await using place = await openSchema(inject('postgresUrl'))
    await using relay = await createTcpRelay(place.url)
    await using store = await openPostgresStore({ url: relay.url, schema: place.schema, connections: 4 })
    if (kind === 'starts') relay.loseAnswerTo(words)
    await start(store)
    if (kind === 'continues') relay.loseAnswerTo(words)
    await Promise.all(runIds.map(runId => store.append(second(runId))))
    expect(relay.lost).toBe(1)
    for (const runId of runIds) expect(await store.read(runId)).toEqual([startedEntry(runId), saidEntry(2, runId)])
  })

  it('a first append of an existing run is a conflict, also if the append itself is invalid', async () => {
    await using place = await openSchema(inject('postgresUrl'))
    await using store = await openPostgresStore({ url: place.url, schema: place.schema })
    await start(store)
    const again = { ...head, runId: 'run-00', expectedSeq: 0, entries: [saidEntry(1)] }
    await expect(store.append(again)).rejects.toMatchObject({ info: { code: 'store-conflict', actual: 1 } })
  })
})

function start(store: Store): Promise<unknown> {
  return Promise.all(
    runIds.map(runId =>
      store.append({ ...head, runId, expectedSeq: 0, sessionHead: null, entries: [startedEntry(runId)] }),
    ),
  )
}

const second = (runId: string) => ({ ...head, runId, expectedSeq: 1, entries: [saidEntry(2, runId)] })
const codeOf = (error: unknown): string => (ParleyError.is(error) ? error.info.code : String(error))

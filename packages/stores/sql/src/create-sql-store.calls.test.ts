import type { RunQuery } from '@parley/core'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, it } from 'vitest'
import { createSqlStore, type SqlStoreOptions } from './create-sql-store.ts'
import { migrateStore } from './tables/migrate-store.ts'
import type { StoreTables } from './tables/store-tables.ts'

async function open(options: Partial<SqlStoreOptions> = {}) {
  const db = new Kysely<StoreTables>({ dialect: new SqliteDialect({ database: new Database(':memory:') }) })
  await migrateStore(db, { name: 'plain' })
  return createSqlStore({ name: 'plain', db, ...options })
}

const closed = { info: { code: 'store-unavailable', store: 'plain', detail: 'it has been closed.' } }
const query: RunQuery = { scope: 'scope' }

it('a call that is running when the store is closed fails with store-unavailable, and so does every later call', async () => {
  const gate = Promise.withResolvers<void>()
  const store = await open({
    attempt: async () => {
      await gate.promise
      throw new Error('an error of the driver')
    },
  })
  const running = store.runs(query)
  await store[Symbol.asyncDispose]()
  gate.resolve()
  await expect(running).rejects.toMatchObject(closed)
  await expect(store.runs(query)).rejects.toMatchObject(closed)
})

it('an error of the driver reaches the caller while the store is open', async () => {
  await using store = await open({ attempt: () => Promise.reject(new Error('an error of the driver')) })
  await expect(store.runs(query)).rejects.toThrow('an error of the driver')
})

it('a store that is closed twice closes its database once', async () => {
  let closes = 0
  const store = await open({ close: () => void closes++ })
  await Promise.all([store[Symbol.asyncDispose](), store[Symbol.asyncDispose]()])
  await store[Symbol.asyncDispose]()
  expect(closes).toBe(1)
})

it('a call ends with the reason of its signal, although its attempt continues', async () => {
  await using store = await open({ attempt: () => new Promise(() => {}) })
  const controller = new AbortController()
  const running = store.runs(query, { signal: controller.signal })
  controller.abort('enough')
  await expect(running).rejects.toBe('enough')
})

it('a watch that opens after the signal of its call was aborted is closed again', async () => {
  const opening = Promise.withResolvers<AsyncDisposable>()
  const disposed = Promise.withResolvers<void>()
  await using store = await open({ watch: () => opening.promise })
  const controller = new AbortController()
  const watching = store.watch?.(() => {}, { signal: controller.signal })
  controller.abort('enough')
  await expect(watching).rejects.toBe('enough')
  opening.resolve({ [Symbol.asyncDispose]: async () => disposed.resolve() })
  await disposed.promise
})

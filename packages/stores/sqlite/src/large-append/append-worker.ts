import { parentPort, workerData } from 'node:worker_threads'
import SqliteDatabase from 'better-sqlite3'
import type { AppendReply, AppendRequest, AppendStatement, AppendTarget } from './append-statement.ts'

// Imports no code of other packages, so that the thread starts fast and needs little memory.
const { path, busyTimeoutMs, synchronous } = workerData as AppendTarget
const database = new SqliteDatabase(path, { timeout: busyTimeoutMs, fileMustExist: true })
database.pragma(`synchronous = ${synchronous}`)

const UNCHANGED = new Error('a statement changed no row')

const write = database.transaction((statements: readonly AppendStatement[]): void => {
  for (const { sql, values, mustChange } of statements) {
    const { changes } = database.prepare(sql).run(...values)
    if (mustChange && changes === 0) throw UNCHANGED
  }
}).immediate

parentPort?.on('message', (request: AppendRequest | 'close') => {
  if (request === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  const { id, statements } = request
  reply(id, statements)
  for (const { values } of statements)
    for (const value of values)
      // Frees the bytes now. V8 would free them only with its next collection.
      if (value instanceof Uint8Array) (value.buffer as ArrayBuffer).transfer(0)
})

function reply(id: number, statements: readonly AppendStatement[]): void {
  const send = (message: AppendReply): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only windows have an origin, threads do not
    parentPort?.postMessage(message)
  }
  try {
    write(statements)
    send({ id, written: true })
  } catch (error) {
    if (error === UNCHANGED) send({ id, written: false })
    else {
      const { message, code = '' } = error as Error & { readonly code?: string }
      send({ id, message, code })
    }
  }
}

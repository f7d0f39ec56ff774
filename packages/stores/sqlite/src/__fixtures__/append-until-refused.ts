import { ParleyError } from '@parley/core'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { saidEntry, startedEntry } from './sample-entry.ts'

/** Appends until an append fails. Prints the number of acknowledged entries, the error, and the entries that it reads. */
async function appendUntilRefused(path: string): Promise<object> {
  const store = await openSqliteStore({ path })
  const run = { runId: 'r', worker: 'w', fence: 1 }
  await store.append({ ...run, expectedSeq: 0, entries: [startedEntry()] })
  for (let seq = 2; ; seq++) {
    try {
      await store.append({ ...run, expectedSeq: seq - 1, entries: [saidEntry(seq, 'x'.repeat(10_000))] })
    } catch (error) {
      if (!ParleyError.is(error)) throw error
      const readable = (await store.read('r')).length
      await store[Symbol.asyncDispose]()
      return { acknowledged: seq - 1, readable, info: error.info }
    }
  }
}

process.stdout.write(`${JSON.stringify(await appendUntilRefused(process.argv[2] ?? ''))}\n`)

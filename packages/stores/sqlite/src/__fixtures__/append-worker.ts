import { once } from 'node:events'
import { ParleyError } from '@parley/core'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { saidEntry, startedEntry } from './sample-entry.ts'

const [path = '', runId = '', label = '', count = '0'] = process.argv.slice(2)

/** Appends `count` entries one by one, and prints the number of each after it is acknowledged. */
async function work(): Promise<void> {
  await using store = await openSqliteStore({ path, busyTimeoutMs: 15_000 })
  await attempt(() => store.append({ runId, worker: 'w', fence: 1, expectedSeq: 0, entries: [startedEntry()] }))
  let seq = (await store.run(runId))?.seq ?? 0
  for (let done = 0; done < Number(count); ) {
    const entries = [saidEntry(seq + 1, `${label} ${done}`)]
    const kept = await attempt(() => store.append({ runId, worker: 'w', fence: 1, expectedSeq: seq, entries }))
    if (kept) done += 1
    seq = kept ? seq + 1 : ((await store.run(runId))?.seq ?? 0)
    if (kept) process.stdout.write(`${seq}\n`)
  }
}

/** Tries one append. @returns Whether the append succeeded; `false` if another writer was faster. */
async function attempt(append: () => Promise<void>): Promise<boolean> {
  try {
    await append()
    return true
  } catch (error) {
    if (ParleyError.is(error, 'store-conflict')) return false
    throw error
  }
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
await work()

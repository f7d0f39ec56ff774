import { once } from 'node:events'
import { ParleyError } from '@parley/core'
import { openSqliteStore } from '../open-sqlite-store.ts'
import { saidEntry, startedEntry } from './sample-entry.ts'

const [path = '', label = '', count = '0', max = '0'] = process.argv.slice(2)
const total = { scope: 'scope', owner: 'runtime', since: 0, until: 1_000 }

/** Starts `count` runs under a quota of `max`. Each run that begins appends once more. Prints how many began. */
async function work(): Promise<void> {
  await using store = await openSqliteStore({ path, busyTimeoutMs: 15_000 })
  let begun = 0
  for (let index = 0; index < Number(count); index++) {
    const run = { runId: `${label}-${index}`, worker: label, fence: 1 }
    try {
      const starts = [{ ...total, runs: 1, tokens: 0, cost: 0, maxRuns: Number(max) }]
      await store.append({ ...run, expectedSeq: 0, entries: [startedEntry()], counts: starts })
      const spends = [{ ...total, runs: 0, tokens: 3, cost: 0.5 }]
      await store.append({ ...run, expectedSeq: 1, entries: [saidEntry(2)], counts: spends })
      begun += 1
    } catch (error) {
      if (!ParleyError.is(error, 'quota-exceeded')) throw error
    }
  }
  process.stdout.write(`${begun}\n`)
}

process.stdout.write('ready\n')
await once(process.stdin, 'data')
await work()

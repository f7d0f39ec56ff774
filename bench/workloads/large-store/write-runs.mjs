import { randomUUID } from 'node:crypto'
import { readRecorded } from './seed-rows.mjs'

/**
 * Creates a function that starts runs with the entries of the recorded run.
 * @returns Appends one run. It resolves to the times of its appends in milliseconds.
 */
export function createRunWriter(store, { recorded }, { scope, worker = randomUUID() }) {
  const batches = readRecorded(recorded).appends.map(({ entries }) => JSON.parse(entries))
  return async ({ runId, ends = true }) => {
    const times = []
    const at = Date.now()
    let expectedSeq = 0
    for (const batch of ends ? batches : batches.slice(0, -1)) {
      const entries = batch.map(entry => ({
        ...entry,
        at,
        ...(entry.type === 'run.started' ? { scope, sessionId: runId } : {}),
      }))
      const from = performance.now()
      await store.append({ runId, worker, fence: 1, expectedSeq, entries })
      times.push(performance.now() - from)
      expectedSeq += entries.length
    }
    return times
  }
}

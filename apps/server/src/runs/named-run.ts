import type { RunRecord, Store } from '@parley/core'
import { Problem } from '../problem/problem.ts'
import { deriveRunId } from './derive-run-id.ts'

/** How many runs of one response id every server finds. */
const MOST_RUNS = 4

/**
 * Returns the id for a run whose response id the client chose. It is derived from the response id, so that every server that shares
 * the store finds the run. `undefined` if the id has too many runs: then only the server that began the run knows its response id.
 * @throws Problem 409 if a process still writes a response with this id.
 */
export async function newNamedRunId(store: Store, scope: string, responseId: string): Promise<string | undefined> {
  const records = await recordsOf(store, scope, responseId)
  if (records.some(record => record?.status === 'running'))
    throw new Problem(409, 'CONFLICT', { message: 'Another response with this id is still being written.' })
  const free = records.indexOf(undefined)
  return free < 0 ? undefined : idsOf(scope, responseId)[free]
}

/** Finds the newest run whose response id the client chose. */
export async function findNamedRun(store: Store, scope: string, responseId: string): Promise<RunRecord | undefined> {
  const records = await recordsOf(store, scope, responseId)
  const mine = records.flatMap(record => (record?.scope === scope ? [record] : []))
  // Later uses come first among runs of one millisecond.
  return mine.toReversed().toSorted((a, b) => b.startedAt - a.startedAt)[0]
}

function recordsOf(store: Store, scope: string, responseId: string): Promise<readonly (RunRecord | undefined)[]> {
  return Promise.all(idsOf(scope, responseId).map(runId => store.run(runId)))
}

/** A client may use an id again after its response has ended, so an id stands for several runs. */
function idsOf(scope: string, responseId: string): readonly string[] {
  return Array.from({ length: MOST_RUNS }, (_, use) => deriveRunId(['response', scope, responseId, String(use)]))
}

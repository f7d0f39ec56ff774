import type { RunRecord } from '@parley/core'
import { notFound } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'

/** A run behind a response, and where in its journal that response begins. */
export interface FoundRun {
  readonly record: RunRecord
  /** Number of its first entry. */
  readonly fromSeq: number
}

const RESPONSE_ID = /^(?:resp(?:onse)?_)?([0-9a-f-]{36})(?:_([1-9]\d{0,8}))?$/

/**
 * The run behind the id of a response, or a run's own id.
 * @throws Problem 404 for one that is not there or not the client's.
 */
export async function findRun(server: ServerContext, scope: string, id: string): Promise<FoundRun> {
  const [, written, from = '1'] = RESPONSE_ID.exec(id) ?? []
  const runId = server.shelf.find(scope, id)?.runId ?? written
  const record = runId === undefined ? undefined : await server.store.run(runId)
  if (record === undefined || record.scope !== scope || Number(from) > record.seq) throw notFound('response')
  return { record, fromSeq: Number(from) }
}

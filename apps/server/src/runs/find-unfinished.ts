import type { Entry } from '@parley/core'
import type { ServerContext } from '../state/server-context.ts'
import { priorEntries } from './prior-entries.ts'
import type { ProtocolRun } from './protocol-run.ts'
import { watchRun } from './watch-run.ts'

export interface SessionQuery {
  readonly scope: string
  readonly sessionId: string
}

/** Finds the running run of a session, from the entry after its last approval. `undefined` if none is running. */
export async function findUnfinished(server: ServerContext, query: SessionQuery): Promise<ProtocolRun | undefined> {
  const [record] = await server.store.runs({ ...query, limit: 1 })
  if (record?.status !== 'running') return undefined
  const { runId, sessionId } = record
  const entries = await server.store.read(runId)
  const fromSeq = answeredFrom(entries)
  const run = server.live.find(query.scope, runId)
  const prior = priorEntries(entries, fromSeq)
  return { run, runId, sessionId, fromSeq, prior, watch: () => watchRun(server, { record, fromSeq }) }
}

/** Number of the entry from which the stream of a running run shows it: the one after its last approval or client result. */
export function answeredFrom(entries: readonly Entry[]): number {
  const suspended = entries.findLast(entry => entry.type === 'run.suspended' && entry.reason !== 'shutdown')
  return (suspended?.seq ?? 0) + 1
}

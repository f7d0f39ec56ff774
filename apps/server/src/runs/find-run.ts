import { ParleyError, type RunRecord } from '@parley/core'
import type { InputResult } from '@parley/encoders'
import { loadRun, openRequests } from '@parley/engine/journal'
import { rootRun } from '@parley/engine/host'
import { notFound } from '../problem/problem.ts'
import type { ServerContext } from '../state/server-context.ts'
import { findNamedRun } from './named-run.ts'

/** The run of a response, and the part of its journal that the response covers. */
export interface FoundRun {
  readonly record: RunRecord
  /** Number of the response's first entry. */
  readonly fromSeq: number
}

const RESPONSE_ID = /^(?:resp(?:onse)?_)?([0-9a-f-]{36})(?:_([1-9]\d{0,8}))?$/

/**
 * Finds a run by the id of a response, or by its own id.
 * @throws Problem 404 if it is unknown or belongs to another scope.
 */
export async function findRun(server: ServerContext, scope: string, id: string): Promise<FoundRun> {
  const [, written, from = '1'] = RESPONSE_ID.exec(id) ?? []
  const runId = server.agentResponses.runIdOf(scope, id) ?? written
  const known = runId === undefined ? undefined : await server.store.run(runId)
  if (known?.scope === scope && Number(from) <= known.seq) return { record: known, fromSeq: Number(from) }
  const named = await findNamedRun(server.store, scope, id)
  if (named === undefined) throw notFound('response')
  return { record: named, fromSeq: 1 }
}

export interface ApprovalQuery {
  readonly approvalId: string
  /** Only runs of this session. @default every session of the scope */
  readonly sessionId?: string | undefined
}

/** Maximum number of suspended runs that are searched, the newest first. */
const MAX_SUSPENDED = 1000

/**
 * Finds the id of the run that is suspended for an approval.
 * @throws ParleyError `approval-unknown`.
 */
export async function findSuspendedRun(server: ServerContext, scope: string, query: ApprovalQuery): Promise<string> {
  const { approvalId, sessionId } = query
  for (const { runId } of await server.store.runs({ scope, sessionId, status: 'suspended', limit: MAX_SUSPENDED })) {
    const { approvals } = await loadRun(server.store, runId)
    if (approvals.has(approvalId)) return runId
  }
  throw new ParleyError({ code: 'approval-unknown', approvalId })
}

export interface ResultQuery {
  readonly scope: string
  /** The session of the request. @default none: only results that name their run are found */
  readonly sessionId?: string | undefined
  readonly results: readonly InputResult[]
}

/** A suspended run, and those results that its calls wait for. */
export interface WaitingRun {
  readonly runId: string
  readonly results: readonly InputResult[]
}

/** Finds the run that waits for results of a request. `undefined` if no run waits for any of them. */
export async function findWaitingRun(server: ServerContext, query: ResultQuery): Promise<WaitingRun | undefined> {
  const { results } = query
  if (results.length === 0) return undefined
  const runId = await suspendedRun(server, query)
  if (runId === undefined) return undefined
  const { calls = [] } = await loadRun(server.store, runId)
  const waiting = new Set(calls.flatMap(openRequests).flatMap(each => (each.client ? [each.callId] : [])))
  const due = results.filter(({ callId }) => waiting.has(callId))
  return due.length === 0 ? undefined : { runId, results: due }
}

async function suspendedRun(
  { store }: ServerContext,
  { scope, sessionId, results }: ResultQuery,
): Promise<string | undefined> {
  const named = results.find(({ runId }) => runId !== undefined)?.runId
  const runId = named === undefined ? undefined : await rootRun(store, named)
  const [newest] = sessionId === undefined ? [] : await store.runs({ scope, sessionId, limit: 1 })
  const record = runId === undefined ? newest : await store.run(runId)
  return record?.scope === scope && record.status === 'suspended' ? record.runId : undefined
}

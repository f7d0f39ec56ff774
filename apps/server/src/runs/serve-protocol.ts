import { toAgentError } from '@parley/agent-api'
import { ParleyError, type ErrorInfo } from '@parley/core'
import type { ProtocolInput } from '@parley/encoders'
import { loadRun } from '@parley/engine/journal'
import { findClientCall } from '@parley/engine/host'
import type { Client } from '../access/client.ts'
import { sessionBusy } from '../state/live-runs.ts'
import type { ServerContext } from '../state/server-context.ts'
import { beginAttempt, beginOnce, type RequestTerms } from './begin-once.ts'
import { decideRun } from './decide-run.ts'
import { findSuspendedRun, findWaitingRun } from './find-run.ts'
import { priorEntries } from './prior-entries.ts'
import type { ProtocolRun } from './protocol-run.ts'
import { startRun, type RunRequest } from './start-run.ts'

/** Code and message of an error for the clients of every protocol. */
export const describe = (info: ErrorInfo): { readonly code: string; readonly message: string } => toAgentError(info)

export interface ProtocolRequest extends Pick<
  RunRequest,
  'after' | 'messageId' | 'replaces' | 'shownIds' | 'metadata'
> {
  readonly terms: RequestTerms
  /** The parsed body of the request. */
  readonly parsed: ProtocolInput
}

/**
 * Starts a run, or applies the decisions and results of the request to a suspended run. A request that repeats an earlier one
 * is served with its run. Calls `serve` in the tick in which a new run starts.
 * @throws Problem 409 if the session is busy, 422 if another request has the same idempotency key, 429 or 503 if a limit is reached;
 * ParleyError `approval-unknown`, `client-call-settled`, and what `runtime.decide` and `runtime.submitToolResult` throw.
 */
export async function serveProtocol<TResult>(
  server: ServerContext,
  request: ProtocolRequest,
  serve: (run: ProtocolRun) => TResult | Promise<TResult>,
): Promise<TResult> {
  return beginOnce(server, request.terms, { begin: () => serveNew(server, request, serve), repeat: serve })
}

async function serveNew<TResult>(
  server: ServerContext,
  { terms, parsed, ...rest }: ProtocolRequest,
  serve: (run: ProtocolRun) => TResult | Promise<TResult>,
): Promise<TResult> {
  const { client } = terms
  const { input, history, settings, sessionId, model: agent, decisions, clientTools } = parsed
  const waiting = await findWaitingRun(server, { scope: client.scope, sessionId, results: parsed.results })
  const [first] = decisions
  if (first === undefined && waiting === undefined) {
    await checkResults(server, { client, parsed })
    const started = { terms, agent, input, history, sessionId, settings, clientTools, ...rest }
    return startRun(server, started, run =>
      serve({ run, runId: run.runId, sessionId: run.sessionId, fromSeq: 1, watch: () => run }),
    )
  }
  const approvalId = first?.approvalId ?? ''
  const runId = waiting?.runId ?? (await findSuspendedRun(server, client.scope, { approvalId, sessionId }))
  const {
    run,
    prior: entries,
    events,
  } = await decideRun(server, {
    client,
    runId,
    decisions,
    results: waiting?.results,
  })
  const fromSeq = entries.length + 1
  const prior = priorEntries(entries, fromSeq)
  beginAttempt(server, terms, { run, fromSeq })
  return serve({ run, runId, sessionId: run.sessionId, fromSeq, prior, watch: events })
}

export interface ResultsRequest {
  readonly client: Client
  readonly parsed: Pick<ProtocolInput, 'results' | 'input' | 'sessionId'>
}

/**
 * Refuses results that no run waits for, if the request has nothing else.
 * @throws ParleyError `run-unknown` if the scope has no such run, `client-call-unknown` if the run made no such call,
 * `client-call-settled` if the call has a result or its time has passed. Problem 409 if the run is busy with another result.
 */
export async function checkResults(
  { store, clock }: ServerContext,
  { client: { scope }, parsed }: ResultsRequest,
): Promise<void> {
  const { results, input, sessionId } = parsed
  const [result] = results
  if (result === undefined || input.content.length > 0) return
  const [newest] = sessionId === undefined ? [] : await store.runs({ scope, sessionId, limit: 1 })
  const runId = result.runId ?? newest?.runId
  if (runId === undefined) return
  if ((await store.run(runId))?.scope !== scope) throw new ParleyError({ code: 'run-unknown', runId })
  findClientCall(await loadRun(store, runId), { runId, callId: result.callId, now: clock.now() })
  throw sessionBusy()
}

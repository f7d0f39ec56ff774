import { toAgentError } from '@parley/agent-api'
import type { ErrorInfo, RunEvent } from '@parley/core'
import type { ProtocolInput } from '@parley/encoders'
import type { Client } from '../access/client.ts'
import type { ServerContext } from '../state/server-context.ts'
import { decideRun } from './decide-run.ts'
import { findSuspendedRun } from './find-run.ts'
import { startRun, type RunRequest } from './start-run.ts'

/** Code and message of an error for the clients of every protocol. */
export const describe = (info: ErrorInfo): { readonly code: string; readonly message: string } => toAgentError(info)

export interface ProtocolRequest extends Pick<RunRequest, 'after' | 'metadata'> {
  readonly client: Client
  /** The parsed body of the request. */
  readonly parsed: ProtocolInput
}

export interface ProtocolRun {
  readonly runId: string
  readonly sessionId: string
  /** Number of the first new entry. */
  readonly fromSeq: number
  /** Returns the events from that entry. Called once for each reader. */
  readonly watch: () => AsyncIterable<RunEvent>
}

/**
 * Starts a run, or applies the decisions of the request to a suspended run. Calls `serve` in the tick in which a new run
 * starts.
 * @throws Problem 409 if the session is busy, 429 or 503 if a limit is reached; ParleyError `approval-unknown`, and what
 * `runtime.decide` throws.
 */
export async function serveProtocol<TResult>(
  server: ServerContext,
  { client, parsed, after, metadata }: ProtocolRequest,
  serve: (run: ProtocolRun) => TResult,
): Promise<TResult> {
  const { input, history, settings, sessionId, model: agent, decisions } = parsed
  const [first] = decisions
  if (first === undefined) {
    return startRun(server, { client, agent, input, history, sessionId, settings, after, metadata }, run =>
      serve({ runId: run.runId, sessionId: run.sessionId, fromSeq: 1, watch: () => run }),
    )
  }
  const { approvalId } = first
  const runId = await findSuspendedRun(server, client.scope, { approvalId, sessionId })
  const { run, prior, events } = await decideRun(server, { client, runId, decisions })
  return serve({ runId, sessionId: run.sessionId, fromSeq: prior.length + 1, watch: events })
}

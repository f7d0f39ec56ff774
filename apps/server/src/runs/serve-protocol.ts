import type { ErrorInfo, RunEvent } from '@parley/core'
import { toAgentError } from '@parley/agent-api'
import type { ProtocolInput } from '@parley/encoders'
import type { Client } from '../access/client.ts'
import { decideEvents } from './decide-run.ts'
import { findApproval } from './find-approval.ts'
import type { ServerContext } from '../state/server-context.ts'
import { startRun, type RunRequest } from './start-run.ts'

/** What failures are to clients of every protocol. */
export const describe = (info: ErrorInfo): { readonly code: string; readonly message: string } => toAgentError(info)

export interface ProtocolRequest extends Pick<RunRequest, 'after' | 'metadata'> {
  readonly client: Client
  readonly wanted: ProtocolInput
}

export interface ProtocolRun {
  readonly runId: string
  readonly sessionId: string
  /** Number of the entry that begins what is new. */
  readonly fromSeq: number
  /** The events from there, for each reader anew. */
  readonly watch: () => AsyncIterable<RunEvent>
}

/**
 * Begins the run a request asks for, or goes on with the one it decides about. `serve` is called in the tick in which a new
 * run begins.
 * @throws Problem 409, 429, 503, ParleyError `approval-unknown`, and what `runtime.decide` throws.
 */
export async function serveProtocol<TResult>(
  server: ServerContext,
  { client, wanted, after, metadata }: ProtocolRequest,
  serve: (run: ProtocolRun) => TResult,
): Promise<TResult> {
  const { input, history, settings, sessionId, model: agent, decisions } = wanted
  const [first] = decisions
  if (first === undefined) {
    return startRun(server, { client, agent, input, history, sessionId, settings, after, metadata }, run =>
      serve({ runId: run.runId, sessionId: run.sessionId, fromSeq: 1, watch: () => run }),
    )
  }
  const { approvalId } = first
  const runId = await findApproval(server, client.scope, { approvalId, sessionId })
  const { run, prior, events } = await decideEvents(server, { client, runId, decisions })
  return serve({ runId, sessionId: run.sessionId, fromSeq: prior.length + 1, watch: events })
}

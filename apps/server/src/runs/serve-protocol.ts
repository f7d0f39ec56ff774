import type { ErrorInfo, RunEvent } from '@parley/core'
import { toAgentError } from '@parley/agent-api'
import type { ProtocolInput } from '@parley/encoders'
import type { Caller } from '../access/caller.ts'
import { decideEvents } from './decide-run.ts'
import { findApproval } from './find-approval.ts'
import type { ServerContext } from '../server-context.ts'
import { startRun } from './start-run.ts'

/** What failures are to clients of every protocol. */
export const describe = (info: ErrorInfo): { readonly code: string; readonly message: string } => toAgentError(info)

export interface ProtocolRun {
  readonly runId: string
  readonly sessionId: string
  readonly events: AsyncIterable<RunEvent>
}

/**
 * Begins the run a request asks for, or goes on with the one it decides about. `watch` is called in the tick in which a new
 * run begins.
 * @throws Problem 409, 429, 503, ParleyError `approval-unknown`, and what `runtime.decide` throws.
 */
export async function serveProtocol<TResult>(
  server: ServerContext,
  { caller, wanted }: { readonly caller: Caller; readonly wanted: ProtocolInput },
  watch: (run: ProtocolRun) => TResult,
): Promise<TResult> {
  const { input, history, settings, sessionId, model: agent, decisions } = wanted
  const [first] = decisions
  if (first === undefined) {
    return startRun(server, { caller, agent, input, history, sessionId, settings }, run =>
      watch({ runId: run.runId, sessionId: run.sessionId, events: run }),
    )
  }
  const { approvalId } = first
  const runId = await findApproval(server, caller.scope, { approvalId, sessionId })
  const { run, events } = await decideEvents(server, { caller, runId, decisions })
  return watch({ runId, sessionId: run.sessionId, events: events() })
}

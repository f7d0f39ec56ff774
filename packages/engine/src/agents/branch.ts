import {
  ParleyError,
  toErrorInfo,
  ZERO_USAGE,
  type Cost,
  type DelegateResult,
  type Outcome,
  type ToolContext,
  type Usage,
  type UserMessage,
} from '@parley/core'
import type { Interrupted, RunResult, Suspended } from '../run-context/run.ts'
import type { Agent } from '../agent/agent.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** What one of several agents is to do. */
export interface Branch {
  readonly agent: string | Agent
  readonly input: string | UserMessage
  /** Goes on from the session's last run. @default a new session */
  readonly sessionId?: string | undefined
  /** The directory its tools work in. @default that of the call it works for, or none */
  readonly workspace?: string | undefined
}

/** How a branch ended; `skipped` was never begun, because the others were stopped before its turn. */
export type BranchResult = (Outcome | Suspended | Interrupted | { readonly status: 'skipped' }) & {
  /** Undefined for a branch that was never begun. */
  readonly runId: string | undefined
  /** Text of its last answer; empty when there was none. */
  readonly text: string
  readonly usage: Usage
  readonly cost: Cost | undefined
  readonly turns: number
}

/**
 * Where branches run: in a runtime, each as a run of its own, or in a handler's context, as sub-agents of its call, which
 * share its limits and are gone on with after a crash.
 */
export type BranchHost = Pick<Runtime, 'run'> | Pick<ToolContext, 'delegate' | 'run'>

const NOTHING = { runId: undefined, text: '', usage: ZERO_USAGE, cost: undefined, turns: 0 }

export const SKIPPED: BranchResult = { status: 'skipped', ...NOTHING }

/**
 * Runs one branch to its end.
 * @throws ParleyError `run-suspended` when it waits for a person on behalf of a handler, which is called again then.
 */
export async function runBranch(
  host: BranchHost,
  { agent, input, sessionId, workspace }: Branch,
  signal: AbortSignal,
): Promise<BranchResult> {
  try {
    const { run } = host
    if (typeof run === 'function')
      return toBranchResult(await run(agent, input, { sessionId, workspace, signal }).result)
    const delegate = 'delegate' in host ? host.delegate : undefined
    if (delegate === undefined) {
      throw new ParleyError({ code: 'config-invalid', path: 'host', detail: 'has no runtime to run agents' })
    }
    return await delegate({ agent, input, sessionId, workspace, signal })
  } catch (error) {
    if (ParleyError.is(error, 'run-suspended')) throw error
    return signal.aborted ? SKIPPED : { status: 'failed', error: toErrorInfo(error), ...NOTHING }
  }
}

function toBranchResult(result: RunResult | DelegateResult): BranchResult {
  const { messages: _messages, sessionId: _sessionId, agent: _agent, ...rest } = result as RunResult
  return rest
}

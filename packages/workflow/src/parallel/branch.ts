import {
  addCost,
  addUsage,
  ParleyError,
  toErrorInfo,
  ZERO_USAGE,
  type Cost,
  type DelegateResult,
  type FinishReason,
  type Outcome,
  type ToolContext,
  type Usage,
  type UserMessage,
} from '@parley/core'
import type { Agent, Interrupted, RunResult, Runtime, Suspended } from '@parley/engine'

/** One agent and its task. */
export interface Branch {
  /** The agent, or its name in the runtime. */
  readonly agent: string | Agent
  readonly input: string | UserMessage
  /** Continues this session. @default a new session */
  readonly sessionId?: string | undefined
  /** The directory its tools work in. @default the directory of the parent run; none for a root run */
  readonly workspace?: string | undefined
}

/** The result of a branch. Only a completed branch has a `text` and an `output`, so code reads them after a check of the status. */
export type BranchResult = CompletedBranch | IncompleteBranch

/** The result of a branch that completed. */
export interface CompletedBranch extends BranchSummary {
  readonly status: 'completed'
  readonly runId: string
  /** Whether the last answer is complete (`stop`), truncated, filtered or refused. */
  readonly finish: FinishReason
  /** Text of the last answer. Empty without an answer. */
  readonly text: string
  /** Matches the agent's output schema. `undefined` if the agent has none. */
  readonly output: unknown
}

/**
 * The result of a branch that did not complete. `skipped` means that the branch never started, because the other branches were
 * stopped first.
 */
export type IncompleteBranch = BranchSummary &
  (Exclude<Outcome, { status: 'completed' }> | Suspended | Interrupted | { readonly status: 'skipped' }) & {
    /** `undefined` if the branch never started. */
    readonly runId: string | undefined
    /** Text of the last answer before the branch stopped. Empty if there is none. It is not an answer to the input. */
    readonly partialText: string
  }

/** What every result has. */
interface BranchSummary {
  readonly usage: Usage
  /** `undefined` if the model's prices are unknown. */
  readonly cost: Cost | undefined
  readonly turns: number
}

/**
 * Where branches run. In a runtime, each branch is a root run. In the context of a tool handler, each branch is a child run of
 * the handler's run. A child run shares the limits of its parent run, and a resumed parent run resumes its child runs.
 */
export type BranchHost = Pick<Runtime, 'run'> | Pick<ToolContext, 'delegate' | 'run'>

const NOTHING = { runId: undefined, partialText: '', usage: ZERO_USAGE, cost: undefined, turns: 0 }

/** The result of a branch that never started. */
export const SKIPPED: BranchResult = { status: 'skipped', ...NOTHING }

/** Runs one branch to its end. */
export type StartBranch = (branch: Branch, signal: AbortSignal) => Promise<BranchResult>

/**
 * Runs one branch to its end. A failure is a result.
 * @throws ParleyError `run-suspended` if a child run is suspended for approval. The engine calls the handler again later.
 */
export function runBranch(host: BranchHost, branch: Branch, signal: AbortSignal): Promise<BranchResult> {
  const { agent, input, sessionId, workspace } = branch
  return settleBranch(signal, async () => {
    const { run } = host
    if (typeof run === 'function')
      return toBranchResult(await run(agent, input, { sessionId, workspace, signal }).result)
    const delegate = 'delegate' in host ? host.delegate : undefined
    if (delegate === undefined) {
      throw new ParleyError({ code: 'config-invalid', path: 'host', detail: 'requires a runtime that runs agents' })
    }
    return await delegate({ agent, input, sessionId, workspace, signal })
  })
}

/** Turns an error of a branch into its result. @throws ParleyError `run-suspended`. */
export async function settleBranch(signal: AbortSignal, start: () => Promise<BranchResult>): Promise<BranchResult> {
  try {
    return await start()
  } catch (error) {
    if (ParleyError.is(error, 'run-suspended')) throw error
    return signal.aborted ? SKIPPED : { status: 'failed', error: toErrorInfo(error), ...NOTHING }
  }
}

/** Returns the fields of a run's result that a branch has. */
export function toBranchResult(result: RunResult | DelegateResult): BranchResult {
  if (!('messages' in result)) return result
  const { messages: _messages, sessionId: _sessionId, agent: _agent, ...rest } = result
  return rest
}

/** Adds up the tokens and the cost of branches. */
export function spentBy(results: readonly BranchResult[]): { readonly usage: Usage; readonly cost: Cost | undefined } {
  let usage = ZERO_USAGE
  let cost: Cost | undefined
  for (const result of results) {
    usage = addUsage(usage, result.usage)
    cost = addCost(cost, result.cost)
  }
  return { usage, cost }
}

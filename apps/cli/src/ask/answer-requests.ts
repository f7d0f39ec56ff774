import { userInfo } from 'node:os'
import type { ClientCall, Principal } from '@parley/core'
import type { Pending, RunResult } from '@parley/engine'
import type { ShownRun } from '../render/show-run.ts'
import { askApproval, type AskOptions, type UserDecision } from './ask-approval.ts'

/** Answers what runs wait for, and continues them: a runtime of this process, or a server. */
export interface RunAnswers {
  decide(runId: string, approvalId: string, options: DecisionOptions): Promise<ShownRun>
  submitToolResult(
    runId: string,
    callId: string,
    result: string,
    options: Pick<DecisionOptions, 'by'>,
  ): Promise<ShownRun>
}

interface DecisionOptions {
  readonly decision: UserDecision
  /** The user of this process. A server knows its clients by their keys. */
  readonly by: Principal
}

export interface AnswerOptions extends AskOptions {
  readonly runtime: RunAnswers
  /** Prints a run until it ends. */
  readonly show: (run: ShownRun) => Promise<RunResult>
  /** Tells the user how to answer later, after a question without an answer. */
  readonly onLeft: (waiting: Waiting) => void
  /** Role of the user, if an approval requires one. @default none */
  readonly role?: string | undefined
}

/** The run and its unanswered requests: approvals, and calls that the client executes. */
export type Waiting = Pick<RunResult, 'runId'> & Pending

/**
 * Shows a run. While it waits for an approval or for the result of a tool that the client executes, asks the user and shows how
 * the run continues.
 * @returns The last result: `suspended` if the user left a question without an answer.
 */
export async function showAndAnswer(first: ShownRun, options: AnswerOptions): Promise<RunResult> {
  for (let run = first; ;) {
    const result = await options.show(run)
    const next = result.status === 'suspended' ? await answer(result, options) : undefined
    if (next === undefined) {
      if (result.status === 'suspended') options.onLeft(result)
      return result
    }
    run = next
  }
}

/** Asks the first question of a run. @returns The run that continues, or `undefined` if the user left the question. */
export async function answer(
  { runId, approvals, clientCalls }: Waiting,
  options: AnswerOptions,
): Promise<ShownRun | undefined> {
  const { runtime, role } = options
  const by = { id: userInfo().username, roles: role === undefined ? [] : [role] }
  const [approval] = approvals
  if (approval !== undefined) {
    const decision = await askApproval(approval, options)
    return decision && runtime.decide(runId, approval.approvalId, { decision, by })
  }
  const [call] = clientCalls
  const text = call && (await askResult(call, options))
  if (call === undefined || text === undefined) return undefined
  return runtime.submitToolResult(call.runId ?? runId, call.callId, text, { by })
}

/** Asks for the result of a call that the user executes. */
async function askResult({ name, input }: ClientCall, { terminal, prompter }: AskOptions): Promise<string | undefined> {
  const { style } = terminal
  terminal.out(`${style('yellow', '?')} ${style('bold', name)} ${JSON.stringify(input)}\n`)
  return prompter.ask(`  Result of ${name} › `)
}

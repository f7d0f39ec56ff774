import type {
  ApprovalRequest,
  CancelReason,
  ClientCall,
  Cost,
  ErrorInfo,
  Message,
  Outcome,
  RunEvent,
  Usage,
  UserMessage,
  RunFacts,
} from '@parley/core'
import { answerText } from '../journal/answer-text.ts'
import type { RunState } from '../journal/run-state.ts'

/**
 * A run in progress. Iterate over it to read its events. Leaving the loop closes only the iterator; the run continues.
 */
export interface Run<out TOutput = unknown> extends AsyncIterable<RunEvent>, AsyncDisposable {
  readonly runId: string
  /**
   * The session of the run. With `rotateAfterMs` it may be another session than the requested one. It is final after
   * the first event.
   */
  readonly sessionId: string
  /** How the run ended. Failures that the runtime knows are results, not rejections. */
  readonly result: Promise<RunResult<TOutput>>
  /**
   * Steers the run: the message is appended before the next model call, never between a tool call and its result. Calls of
   * the current answer that have not started are skipped. Resolves when the message is durably queued.
   * @throws ParleyError `run-ended`, `input-rejected`, `queue-full`.
   */
  steer(message: string | UserMessage, options?: InputOptions): Promise<void>
  /**
   * Queues a message for when the run would otherwise end. Resolves when the message is durably queued.
   * @throws ParleyError `run-ended`, `input-rejected`, `queue-full`.
   */
  followUp(message: string | UserMessage, options?: InputOptions): Promise<void>
  /**
   * Usage of the model calls that have ended, including those of child runs. Grows while the run works. For a run that another
   * process drives: as far as this object was read.
   */
  readonly usage: Usage
  /** Cost of that usage. `undefined` if no price is known. */
  readonly cost: Cost | undefined
  /** Number of model calls so far. */
  readonly turns: number
  /** Cancels the run. The first reason counts. Resolves when the run has stopped. */
  cancel(reason?: CancelReason): Promise<void>
}

export interface InputOptions {
  /** Id of the message in the journal, for a sender that must find out whether it arrived. @default a new id */
  readonly id?: string | undefined
}

/** How a run ended, and its answer. */
export type RunResult<TOutput = unknown> = Ending<TOutput> & {
  readonly runId: string
  readonly sessionId: string
  /** The agent that answered last. A handoff changes it. */
  readonly agent: string
  /** The transcript, valid as the start of another run: without an answer whose tool calls have no results. */
  readonly messages: readonly Message[]
  /** Text of the last answer; empty if there is none. */
  readonly text: string
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** Number of model calls. */
  readonly turns: number
}

type Completed = Extract<Outcome, { status: 'completed' }>
type Ending<TOutput> =
  /**
   * `output` matches the agent's output schema, or is the value that a tool ended the run with. Otherwise it is
   * `undefined`.
   */
  | (Completed & { readonly output: TOutput })
  | ((Exclude<Outcome, Completed> | Suspended | Interrupted) & { readonly output?: undefined })

/**
 * No process drives the run. `runtime.decide`, `runtime.submitToolResult` or `runtime.resume` continues it, in this process
 * or in another one.
 */
export interface Suspended {
  readonly status: 'suspended'
  /** The undecided requests for approval. */
  readonly approvals: readonly ApprovalRequest[]
  /** The tool calls that wait for the client to execute them. */
  readonly clientCalls: readonly ClientCall[]
  /** `shutdown` if the run was released, `client-tools` if it waits for the client; absent if it waits only for approvals. */
  readonly reason?: 'shutdown' | 'client-tools' | undefined
}

/**
 * This process stopped driving the run before its end. The run can be resumed. A run that could not begin is `failed`
 * instead and has no journal, for example with the error `session-busy`.
 */
export interface Interrupted {
  readonly status: 'interrupted'
  readonly error: ErrorInfo
}

export interface Ended {
  readonly ending: Outcome | Suspended | Interrupted
  readonly output?: unknown
}

/** Returns the result of a run whose journal has this state. */
export function toRunResult(
  { runId, sessionId }: Pick<RunFacts, 'runId' | 'sessionId'>,
  state: RunState,
  { ending, output }: Ended,
): RunResult {
  const messages = state.transcript.toArray()
  // An answer with open calls belongs to this run when it is resumed; another run could not start from it.
  if (state.calls !== undefined) messages.pop()
  const { agent, usage, cost, turn: turns } = state
  return {
    ...(ending.status === 'completed' ? { ...ending, output } : ending),
    runId,
    sessionId,
    agent,
    messages,
    // Answers of earlier runs of the session do not count.
    text: state.finish === undefined ? '' : answerText(messages, state.continued),
    usage,
    cost,
    turns,
  }
}

import type {
  ApprovalRequest,
  CancelReason,
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

/** A running run. Iterating shows its events; leaving the loop closes the iterator, not the run. */
export interface Run<out TOutput = unknown> extends AsyncIterable<RunEvent>, AsyncDisposable {
  readonly runId: string
  /** The session of the run. With `rotateAfterMs` it may be another session than requested; final after the first event. */
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
  /** `output` matches the agent's output schema, or is the value that a tool ended the run with. `undefined` without either. */
  | (Completed & { readonly output: TOutput })
  | ((Exclude<Outcome, Completed> | Suspended | Interrupted) & { readonly output?: undefined })

/** No process drives the run. `runtime.decide` or `runtime.resume` continues it, in this process or in another one. */
export interface Suspended {
  readonly status: 'suspended'
  /** The undecided requests for approval. */
  readonly approvals: readonly ApprovalRequest[]
  /** `shutdown` if the run was released; absent if it is suspended for approval. */
  readonly reason?: 'shutdown' | undefined
}

/** This process stopped driving the run before its end. The run can be resumed. */
export interface Interrupted {
  readonly status: 'interrupted'
  readonly error: ErrorInfo
}

export interface Ended {
  readonly ending: Outcome | Suspended | Interrupted
  readonly output?: unknown
}

/** The result of a run in a state of its journal. */
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

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

/** A run while it goes. Iterating shows its events; leaving the loop closes the iterator, not the run. */
export interface Run<out TOutput = unknown> extends AsyncIterable<RunEvent>, AsyncDisposable {
  readonly runId: string
  /** Once its first event is seen, the session it began in: with `rotateAfterMs` that may be another than was asked for. */
  readonly sessionId: string
  /** How it ended. Never rejects for a failure the runtime foresees. */
  readonly result: Promise<RunResult<TOutput>>
  /**
   * Puts in a word: the message joins at the next boundary, never between a tool call and its result; calls of
   * the same answer that have not started are skipped. Resolves when it is safely queued.
   * @throws ParleyError `run-ended`.
   */
  steer(message: string | UserMessage, options?: InputOptions): Promise<void>
  /**
   * Queues a message for when the run would otherwise end. Resolves when it is safely queued.
   * @throws ParleyError `run-ended`.
   */
  followUp(message: string | UserMessage, options?: InputOptions): Promise<void>
  /** Stops the run. The first reason wins. Resolves when it has stopped. */
  cancel(reason?: CancelReason): Promise<void>
}

export interface InputOptions {
  /** What the journal calls the message, for a sender that may have to find out whether it came through. @default a new id */
  readonly id?: string | undefined
}

/** How a run ended, and what it left. */
export type RunResult<TOutput = unknown> = Ending<TOutput> & {
  readonly runId: string
  readonly sessionId: string
  /** Who answered last: another than the run began with once it was handed over. */
  readonly agent: string
  /** The transcript, valid for another run: without an answer whose calls still wait for their results. */
  readonly messages: readonly Message[]
  /** Text of the last answer; empty when there was none. */
  readonly text: string
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** Model calls. */
  readonly turns: number
}

type Completed = Extract<Outcome, { status: 'completed' }>
type Ending<TOutput> =
  /** `output` is what fits the agent's output schema, or what a tool ended the run with; undefined for an agent without. */
  | (Completed & { readonly output: TOutput })
  | ((Exclude<Outcome, Completed> | Suspended | Interrupted) & { readonly output?: undefined })

/** No process holds the run: `runtime.decide` or `runtime.resume` goes on with it, in this process or another. */
export interface Suspended {
  readonly status: 'suspended'
  /** What waits for a person. */
  readonly approvals: readonly ApprovalRequest[]
  /** Why it was let go; absent when it waits for a person. */
  readonly reason?: 'shutdown' | undefined
}

/** This process let the run go before its end; its journal may be resumed. */
export interface Interrupted {
  readonly status: 'interrupted'
  readonly error: ErrorInfo
}

export interface Ended {
  readonly ending: Outcome | Suspended | Interrupted
  readonly output?: unknown
}

/** What a run has come to, in the state its journal adds up to. */
export function toRunResult(
  { runId, sessionId }: Pick<RunFacts, 'runId' | 'sessionId'>,
  state: RunState,
  { ending, output }: Ended,
): RunResult {
  const messages = state.transcript.toArray()
  // An answer whose calls are still open belongs to the run that goes on, not to what another could start from.
  if (state.calls !== undefined) messages.pop()
  const { agent, usage, cost, turn: turns } = state
  return {
    ...(ending.status === 'completed' ? { ...ending, output } : ending),
    runId,
    sessionId,
    agent,
    messages,
    // What the session said before is no answer of this run.
    text: state.finish === undefined ? '' : answerText(messages, state.continued),
    usage,
    cost,
    turns,
  }
}

import type {
  ApprovalRequest,
  CancelReason,
  ClientCall,
  Cost,
  ErrorInfo,
  FinishReason,
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
 * `TOutput` is the type of `result.output`; `TEvent` are its events, typed by the agent's tools.
 */
export interface Run<out TOutput = unknown, out TEvent = RunEvent> extends AsyncIterable<TEvent>, AsyncDisposable {
  readonly runId: string
  /**
   * The session of the run. With `rotateAfterMs` it may be another session than the requested one. It is final after
   * the first event.
   */
  readonly sessionId: string
  /** How the run ended, as data. Never rejects for a failure that the runtime knows. */
  readonly result: Promise<RunResult<TOutput>>
  /**
   * Returns the result of the completed run.
   * @throws RunFailedError If the run has any other status. A suspended run can be continued.
   */
  orThrow(): Promise<CompletedRun<TOutput>>
  /**
   * The text of the agent's answers as the model writes it, without the text of child runs. Every iteration yields the
   * whole text: a late reader first receives the answers so far. The text of an answer that is discarded and asked for
   * again stays in the stream.
   * Iterating throws RunFailedError after the last text if the run does not complete.
   */
  readonly textStream: AsyncIterable<string>
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

/** Options of a message to a run: `steer` and `followUp`. */
export interface InputOptions {
  /** Id of the message in the journal, for a sender that must find out whether it arrived. @default a new id */
  readonly id?: string | undefined
}

/**
 * How a run ended. Only a completed run has a `text` and an `output`, so code reads them after a check of the status. Code
 * that needs no other status calls `Run.orThrow` or `Runtime.invoke` instead.
 */
export type RunResult<TOutput = unknown> = CompletedRun<TOutput> | IncompleteRun

/** The result of a run that completed. */
export interface CompletedRun<out TOutput = unknown> extends RunSummary {
  readonly status: 'completed'
  /** Whether the last answer is complete (`stop`), truncated, filtered or refused. */
  readonly finish: FinishReason
  /** Text of the last answer. Empty if the model wrote none, for example because a tool call ended the run. */
  readonly text: string
  /** Matches the agent's output schema, or is the value that a tool ended the run with. Otherwise `undefined`. */
  readonly output: TOutput
}

/** The result of a run that did not complete. `RunFailedError` has a sentence for each status. */
export type IncompleteRun = RunSummary &
  (Exclude<Outcome, { status: 'completed' }> | Suspended | Interrupted) & {
    /** Text of the last answer before the run stopped. Empty if there is none. It is not an answer to the input. */
    readonly partialText: string
  }

/** The fields of every result, whatever its status. */
interface RunSummary {
  readonly runId: string
  readonly sessionId: string
  /** The agent that answered last. A handoff changes it. */
  readonly agent: string
  /** The transcript, valid as the start of another run: without an answer whose tool calls have no results. */
  readonly messages: readonly Message[]
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** Number of model calls. */
  readonly turns: number
}

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
  facts: Pick<RunFacts, 'runId' | 'sessionId' | 'agent'>,
  state: RunState,
  { ending, output }: Ended,
): RunResult {
  const messages = state.transcript.toArray()
  // An answer with open calls belongs to this run when it is resumed; another run could not start from it.
  if (state.calls !== undefined) messages.pop()
  const { runId, sessionId } = facts
  const { usage, cost, turn: turns } = state
  // A run that could not begin has no entry that names its agent.
  const agent = state.agent === '' ? facts.agent : state.agent
  // Answers of earlier runs of the session do not count.
  const text = state.finish === undefined ? '' : answerText(messages, state.continued)
  if (ending.status !== 'completed')
    return { ...ending, partialText: text, runId, sessionId, agent, messages, usage, cost, turns }
  const { status, finish } = ending
  return { status, finish, text, output, runId, sessionId, agent, messages, usage, cost, turns }
}

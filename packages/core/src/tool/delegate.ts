import type { Limits } from '../run/limits.ts'
import type { Json } from '../schema/json.ts'
import type { FinishReason, UserMessage } from '../schema/message.ts'
import type { Outcome } from '../schema/outcome.ts'
import type { Cost, Usage } from '../schema/usage.ts'

/** An agent, as `defineAgent` of `@parley/engine` returns it. */
export interface AgentLike {
  readonly name: string
}

/** Describes a child run that a tool call starts. */
export interface DelegateRequest {
  /** Name of an agent that the runtime knows, or an agent. */
  readonly agent: string | AgentLike
  readonly input: string | UserMessage
  /**
   * Limits of the child run. The smallest of three values applies: this limit, the agent's limit, and what is left of
   * the parent run's limit. @default the agent's
   */
  readonly limits?: Limits | undefined
  /** Values for the templates in the agent's instructions. @default none */
  readonly variables?: Readonly<Record<string, Json>> | undefined
  /** Directory in which the agent's tools work, as `RunOptions.workspace`. @default the parent run's */
  readonly workspace?: string | undefined
  /** Session to continue from its newest run. @default a new session */
  readonly sessionId?: string | undefined
  /**
   * Identifies the child run within the tool call. A request with the same key, even after a crash, returns the same child
   * run. Set it if the order of the requests may differ between attempts of the handler. @default the request's number within the call
   */
  readonly key?: string | undefined
  /** Cancels this child run. The tool call's own signal cancels it too. */
  readonly signal?: AbortSignal | undefined
}

/**
 * How a child run ended. Only a completed run has a `text` and an `output`, so code reads them after a check of the status.
 */
export type DelegateResult = CompletedDelegate | IncompleteDelegate

/** The result of a child run that completed. */
export interface CompletedDelegate extends DelegateSummary {
  readonly status: 'completed'
  /** Whether the last answer is complete (`stop`), truncated, filtered or refused. */
  readonly finish: FinishReason
  /** Text of the last answer. Empty for a run without an answer. */
  readonly text: string
  /** Structured output. `undefined` if the agent has none. */
  readonly output: Json | undefined
}

/** The result of a child run that did not complete. */
export type IncompleteDelegate = DelegateSummary &
  Exclude<Outcome, { status: 'completed' }> & {
    /** Text of the last answer before the run stopped. Empty if there is none. It is not an answer to the input. */
    readonly partialText: string
  }

/** What every result has. */
interface DelegateSummary {
  readonly runId: string
  /** Usage of the child run and its own child runs. It is already included in the parent run's usage. */
  readonly usage: Usage
  readonly cost: Cost | undefined
  /** Number of the child run's model calls. */
  readonly turns: number
}

/**
 * Starts a child run inside a tool call and waits for its end. The parent run's events include those of the child run.
 * A child run that does not complete is a result, not an error.
 * @throws ParleyError `agent-unknown` or `config-invalid`.
 * @throws ParleyError `run-suspended` if the child run is suspended for approval. Do not catch this error. The parent
 * run is suspended too, and the handler is called again from its beginning after the decision.
 * @throws The signal's reason if the tool call is stopped.
 */
export type Delegate = (request: DelegateRequest) => Promise<DelegateResult>

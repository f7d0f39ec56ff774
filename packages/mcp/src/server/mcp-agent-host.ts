import type { ApprovalRequest, ClientCall, ErrorInfo, Outcome, RunEvent, Schema } from '@parley/core'

/** Runs agents: a `Runtime` of `@parley/engine`, or an object of that shape. */
export interface McpAgentHost {
  readonly agents: {
    list(): readonly McpAgent[]
    /** Returns the agent with this name. @throws ParleyError `agent-unknown`. */
    get(name: string): McpAgent
  }
  /** Starts a run. Aborting the signal cancels it. */
  run(agent: string, input: string, options: { readonly signal: AbortSignal }): McpAgentRun
}

/** The part of an agent that its tool needs. */
export interface McpAgent {
  readonly name: string
  readonly description?: string | undefined
  /** Schema of the agent's structured output. */
  readonly output?: Schema | undefined
}

/** A run of an agent. Iterates over the events of the run. */
export interface McpAgentRun extends AsyncIterable<RunEvent> {
  readonly runId: string
  /** Resolves when the run has ended or this process no longer drives it. */
  readonly result: Promise<McpAgentResult>
}

/** How a run ended, or why this process no longer drives it. */
export type McpAgentResult =
  | (Completed & { readonly text: string; readonly output?: unknown })
  | ({ readonly partialText: string } & Incomplete)

type Completed = Extract<Outcome, { status: 'completed' }>
type Incomplete =
  | Exclude<Outcome, Completed>
  | {
      readonly status: 'suspended'
      readonly approvals: readonly ApprovalRequest[]
      /** Calls that wait for the client of the run. @default none */
      readonly clientCalls?: readonly ClientCall[] | undefined
    }
  | { readonly status: 'interrupted'; readonly error: ErrorInfo }

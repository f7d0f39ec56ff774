import type { RetryPolicy } from '@parley/core'
import type { AgentRequestInput } from '../schema/agent-request.ts'
import type { AgentResponse } from '../schema/agent-response.ts'
import type { AgentSession, AgentSessionHistory } from '../schema/agent-session.ts'
import type { PendingApproval } from '../schema/pending-approval.ts'
import type { AgentStream, ReadAgentStreamOptions } from '../stream/read-agent-stream.ts'

/** Options of `createAgentClient`. */
export interface AgentClientOptions {
  /** URL of the server, for example `http://127.0.0.1:8080`. */
  readonly baseUrl: string
  /** Path below the base URL. @default '/process' */
  readonly path?: string | undefined
  /** Headers of every request, or a function that returns them for each request. @default none */
  readonly headers?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) | undefined
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * When a request is sent again before its stream starts: after 429 and 503, after other server failures with `Retry-After`, and if
   * no connection was made. Requests that only read or cancel are repeated after every server failure. @default {}
   */
  readonly retry?: RetryPolicy | undefined
  /** Returns milliseconds since the epoch. Used for the dates in `Retry-After` headers. @default Date.now */
  readonly now?: (() => number) | undefined
  /** Returns a number in [0, 1), from which the random share of a wait is computed. @default Math.random */
  readonly random?: (() => number) | undefined
  /** Number of attempts to resume a broken stream after its last event. @default 3 */
  readonly maxReconnects?: number | undefined
  /** Milliseconds before the first attempt to resume. The wait doubles with each attempt. @default 250 */
  readonly reconnectDelayMs?: number | undefined
}

/** Options of `AgentClient.process`. */
export interface ProcessOptions extends ReadAgentStreamOptions {
  /** Stops reading the stream when it is aborted. The run continues; use `cancel` to stop the run. */
  readonly signal?: AbortSignal | undefined
}

/** Options of `AgentClient.resume`. */
export interface ResumeStreamOptions extends ProcessOptions {
  /** Number of the last event that was read. @default -1, for all events */
  readonly startingAfter?: number | undefined
}

/** Options of requests without a stream. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined
}

/** A decision about a pending approval. */
export type AgentDecision =
  | { readonly approve: true }
  | { readonly approve: false; readonly reason?: string | undefined }
  | { readonly escalate: { readonly agent: string; readonly task?: string | undefined } }

/** Options of `AgentClient.decide`. */
export interface DecideOptions extends ProcessOptions {
  readonly decision: AgentDecision
}

/** A client of an agent on a server. Holds no connection between requests. */
export interface AgentClient {
  /**
   * Sends a request and returns its stream. Resumes the stream after a broken connection, if the server supports that.
   * If the server restarts the stream, the client continues with the new stream. The stream never throws: a failure or
   * an abort ends it as failed.
   * @throws ParleyError `agent-request-failed` if the server cannot be reached or refuses before the stream starts.
   */
  process(request: AgentRequestInput, options?: ProcessOptions): Promise<AgentStream>
  /**
   * Sends a request with `stream: false` and returns the whole response. @throws ParleyError `agent-request-failed`.
   */
  ask(request: AgentRequestInput, options?: RequestOptions): Promise<AgentResponse>
  /** Returns the stream of an earlier response. @throws ParleyError `agent-request-failed`. */
  resume(responseId: string, options?: ResumeStreamOptions): Promise<AgentStream>
  /** Stops the run behind a response. @throws ParleyError `agent-request-failed`. */
  cancel(responseId: string, options?: RequestOptions): Promise<void>
  /**
   * Lists the tool calls of a response's run that are suspended for approval. Only Parley servers have this route.
   * @throws ParleyError `agent-request-failed`.
   */
  approvals(responseId: string, options?: RequestOptions): Promise<readonly PendingApproval[]>
  /**
   * Decides about a pending approval and returns the stream of the response that continues the run. Only Parley servers have
   * this route. @throws ParleyError `agent-request-failed`.
   */
  decide(responseId: string, approvalId: string, options: DecideOptions): Promise<AgentStream>
  /** Lists the client's sessions. Only Parley servers have this route. @throws ParleyError `agent-request-failed`. */
  sessions(options?: RequestOptions): Promise<readonly AgentSession[]>
  /** Returns a session with its messages. Only Parley servers have this route. @throws ParleyError `agent-request-failed`. */
  session(sessionId: string, options?: RequestOptions): Promise<AgentSessionHistory>
}

import type { RunEvent, RunQuery, UsageField } from '@parley/core'
import type { ApprovalList, DecideRequest } from '../wire/approvals.ts'
import type { AgentInfo, ToolList, WorkflowInfo } from '../wire/definitions.ts'
import type {
  DeadLetterList,
  RecordedOutcome,
  RecordOutcomeRequest,
  ServerHealth,
  UnknownCallList,
  UsageReport,
  WorkerList,
} from '../wire/operations.ts'
import type { RunsApiInfo } from '../wire/runs-access.ts'
import type {
  CancelRequest,
  CompactRequest,
  ForkPlan,
  ForkRequest,
  MessageRequest,
  PruneResult,
  RerunRequest,
  RunState,
  StartedRun,
  StartedRuns,
  StartRequest,
  SubmitRequest,
  TestFile,
} from '../wire/run-verbs.ts'
import type { EntryPage, RequestView, RunDetail, RunNode, RunPage, TranscriptView } from '../wire/run-views.ts'

/** Options of `createRunsClient`. */
export interface RunsClientOptions {
  /** URL of the server, for example `https://agents.example`. In a web page of the server itself, `location.origin`. */
  readonly baseUrl: string
  /** API key or token. @default none */
  readonly key?: string | undefined
  /** Sends the requests. @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds before a broken stream of events is opened again. The wait doubles up to 32 times as much. @default 500 */
  readonly reconnectDelayMs?: number | undefined
}

/** Options of every request. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** Selects runs of the client's scope. A run matches if it matches every given field. */
export interface RunsQuery extends Omit<RunQuery, 'scope' | 'after'>, CallOptions {
  /** `next` of the page before. @default the first page */
  readonly after?: string | undefined
}

export interface EntriesQuery extends CallOptions {
  /** Number of the last entry that the reader has. @default 0 */
  readonly after?: number | undefined
  /** Largest number of entries in the page, at most 1,000. @default 200 */
  readonly limit?: number | undefined
}

/** State of the connection behind a stream of events. */
export type StreamState = 'connecting' | 'open' | 'waiting'

export interface EventsOptions extends CallOptions {
  /** Number of the last entry that the reader has. @default 0 */
  readonly after?: number | undefined
  /** Called when the connection changes. `waiting`: it broke, and is opened again after a delay. */
  readonly onState?: ((state: StreamState) => void) | undefined
}

export interface ApprovalsQuery extends CallOptions {
  readonly sessionId?: string | undefined
  /** Selects the approvals of this run and of the child runs below it. */
  readonly runId?: string | undefined
  /** Selects the approvals that an approver with this role may decide. */
  readonly role?: string | undefined
}

export interface UsageReportQuery extends CallOptions {
  /** Counts runs that ended at this time or later, in milliseconds since the epoch. @default all */
  readonly since?: number | undefined
  /** Counts runs that ended before this time. @default all */
  readonly until?: number | undefined
  /** Splits the totals. @default [] */
  readonly by?: readonly UsageField[] | undefined
}

export interface DeadLettersQuery extends CallOptions {
  /** Name of the subscriber. @default all subscribers */
  readonly subscriber?: string | undefined
  /** Largest number of letters. @default 100 */
  readonly limit?: number | undefined
}

export interface UnknownCallsQuery extends CallOptions {
  /** `next` of the page before. @default the newest runs */
  readonly after?: string | undefined
  /** Number of runs whose journals are read, at most 1,000. @default 200 */
  readonly limit?: number | undefined
}

/**
 * A client of the Runs API. Holds no connection between requests. Every method rejects with ParleyError `agent-request-failed` if
 * the server cannot be reached or refuses: `info` has the `status`, the server's `remoteCode` and its sentence in `detail`.
 */
export interface RunsClient {
  info(options?: CallOptions): Promise<RunsApiInfo>

  /** Lists runs, newest first. */
  runs(query?: RunsQuery): Promise<RunPage>
  run(runId: string, options?: CallOptions): Promise<RunDetail>
  entries(runId: string, query?: EntriesQuery): Promise<EntryPage>
  /**
   * Returns the events of a run after the entry `after`, and follows the run until it has ended. A broken connection is opened
   * again after the last entry, so no entry is missing or comes twice. Ephemeral events, such as pieces of an answer, come only
   * from the process that drives the run, and are not repeated. Ends when the run has ended or `signal` is aborted.
   */
  events(runId: string, options?: EventsOptions): AsyncIterable<RunEvent>
  /** Returns the exact request of a model call, if the journal keeps it. */
  request(runId: string, turn: number, options?: CallOptions): Promise<RequestView>
  tree(runId: string, options?: CallOptions): Promise<RunNode>
  transcript(runId: string, options?: CallOptions): Promise<TranscriptView>
  /** Returns a Vitest file that repeats the run with a scripted model. */
  asTest(runId: string, options?: CallOptions): Promise<TestFile>

  start(request: StartRequest, options?: CallOptions): Promise<StartedRun>
  /** Says what a fork would do, without doing it. */
  planFork(runId: string, request: ForkRequest, options?: CallOptions): Promise<ForkPlan>
  fork(runId: string, request: ForkRequest, options?: CallOptions): Promise<StartedRun>
  rerun(runId: string, request?: RerunRequest, options?: CallOptions): Promise<StartedRuns>
  /** Adds a message before the next model call. */
  steer(runId: string, request: MessageRequest, options?: CallOptions): Promise<RunState>
  /** Adds a message after the answer. */
  followUp(runId: string, request: MessageRequest, options?: CallOptions): Promise<RunState>
  cancel(runId: string, request?: CancelRequest, options?: CallOptions): Promise<RunState>
  /** Resumes a run that no process drives. */
  resume(runId: string, options?: CallOptions): Promise<RunState>
  /** Lets the model summarize the session of a run, in a run of its own. The session continues from the summary. */
  compact(runId: string, request?: CompactRequest, options?: CallOptions): Promise<StartedRun>
  /** Gives a run, or a child run of it, the result of a tool call that waits for the client. The first result counts. */
  submit(runId: string, request: SubmitRequest, options?: CallOptions): Promise<RunState>
  /** Removes an ended run with its journal. */
  prune(runId: string, options?: CallOptions): Promise<PruneResult>

  approvals(query?: ApprovalsQuery): Promise<ApprovalList>
  decide(approvalId: string, request: DecideRequest, options?: CallOptions): Promise<RunState>

  agents(options?: CallOptions): Promise<{ readonly agents: readonly AgentInfo[] }>
  tools(options?: CallOptions): Promise<ToolList>
  workflows(options?: CallOptions): Promise<{ readonly workflows: readonly WorkflowInfo[] }>
  usage(query?: UsageReportQuery): Promise<UsageReport>
  workers(options?: CallOptions): Promise<WorkerList>
  health(options?: CallOptions): Promise<ServerHealth>

  deadLetters(query?: DeadLettersQuery): Promise<DeadLetterList>
  /** Delivers a dead letter again, and removes it once its subscriber has accepted it. */
  redriveDeadLetter(id: string, options?: CallOptions): Promise<{ readonly redriven: boolean }>
  dropDeadLetter(id: string, options?: CallOptions): Promise<{ readonly dropped: boolean }>
  unknownCalls(query?: UnknownCallsQuery): Promise<UnknownCallList>
  /** Records what happened to a call whose outcome a crash has hidden. */
  recordOutcome(
    call: { readonly runId: string; readonly callId: string },
    request: RecordOutcomeRequest,
    options?: CallOptions,
  ): Promise<RecordedOutcome>
}

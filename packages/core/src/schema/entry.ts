import type { AgentSnapshot } from './agent-snapshot.ts'
import type { ApprovalDecision, ApprovalRequest, Principal } from './approval.ts'
import type { ClientCall, ClientTool, Submission } from './client-call.ts'
import type { ContextEdit } from './context-edit.ts'
import type { ENTRY_VERSION } from './entry-version.ts'
import type { ErrorInfo, ValidationIssue } from './error-info.ts'
import type { Json } from './json.ts'
import type { KeptRequest } from './kept-request.ts'
import type { FinishReason, Message, ToolMessage, UserMessage } from './message.ts'
import type { CancelReason, LimitHit, Outcome } from './outcome.ts'
import type { Cost, ModelUsage, Usage } from './usage.ts'
import type { ContextSize, ViewPart } from './view-part.ts'

/** What every entry has. */
interface EntryEnvelope {
  v: typeof ENTRY_VERSION
  /** Position in the run's journal, from 1, without gaps. */
  seq: number
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * How a run began: new, or from an earlier run. A run with the relation `compaction` only compacts the session's
 * context. It calls no tools and has no answer.
 */
export type Relation = 'initial' | 'continue' | 'branch' | 'rerun' | 'sub-agent' | 'compaction'

interface RunStarted extends EntryEnvelope {
  type: 'run.started'
  agent: string
  /** Name of the model, as `provider/id`. */
  model: string
  /** How the agent was configured. Absent in journals of earlier versions. The run's own `settings` override its settings. */
  snapshot?: AgentSnapshot | undefined
  sessionId: string
  scope: string
  relation: Relation
  /** The run whose transcript this run continues, and the number of the last entry that belongs to that transcript. */
  base?:
    | {
        runId: string
        seq: number
        /** Results of tool calls that replace those of that transcript. */
        replaced?: ToolMessage[] | undefined
      }
    | undefined
  /** The tool call of the parent run that started this child run. */
  parent?: { runId: string; callId: string } | undefined
  /** The run that this run repeats. Its transcript continues `base`. */
  origin?: string | undefined
  /** The session that this session replaces because it was idle for too long, and its last run. */
  previousSession?: { sessionId: string; runId: string } | undefined
  /** Principal on whose behalf the run acts. Tools may require a role. */
  principal?: Principal | undefined
  /** Data for the tools, the instructions and the middleware of the run. */
  context?: Json | undefined
  /** Data of the user. The runtime does not read it. */
  metadata?: Record<string, Json> | undefined
  /** Values for the templates in the agent's instructions. */
  variables?: Record<string, Json> | undefined
  /** Directory in which the run's tools work. */
  workspace?: string | undefined
  /** Instructions after the agent's own. */
  instructions?: string | undefined
  /** Name of the model that the run asked for, instead of its agent's. */
  chosenModel?: string | undefined
  /** Model settings that replace the agent's, field by field. */
  settings?: Record<string, Json> | undefined
  /** Tools that the client executes, in addition to the agent's. */
  clientTools?: ClientTool[] | undefined
  /** Present if agents that do not say whether they accept such tools accept them in this run. */
  acceptClientTools?: true | undefined
  /** A transcript that the user supplied. It precedes the input. */
  history?: Message[] | undefined
}

interface RunResumed extends EntryEnvelope {
  type: 'run.resumed'
  worker: string
}

/** The agent's instructions are a function, and this is its text. A resumed run uses the same text. */
interface InstructionsEvaluated extends EntryEnvelope {
  type: 'instructions.evaluated'
  agent: string
  text: string
}

interface MessageAppended extends EntryEnvelope {
  type: 'message.appended'
  /**
   * Where the message comes from. A message of `continue` asks the model to continue a truncated answer. A message of
   * `repair` asks it to correct an answer that does not fit the schema.
   */
  source: 'input' | 'steering' | 'follow-up' | 'note' | 'continue' | 'repair' | 'model'
  message: Message
  /** Id of the queued message, if `source` is `steering` or `follow-up`. */
  queueId?: string | undefined
}

interface InputQueued extends EntryEnvelope {
  type: 'input.queued'
  queueId: string
  kind: 'steering' | 'follow-up'
  message: UserMessage
}

/** A queued message was dropped because the queue was full and a newer message arrived. */
interface InputDropped extends EntryEnvelope {
  type: 'input.dropped'
  queueId: string
}

/** Verdict of an input filter on a user's message, other than `pass`. */
interface InputFiltered extends EntryEnvelope {
  type: 'input.filtered'
  source: 'input' | 'steering' | 'follow-up'
  filter: string
  verdict: 'warn' | 'reject' | 'replace'
  /** The warning, or the reason. */
  detail: string
  /** Why the filter gave no verdict, if that is the reason of the rejection. */
  error?: ErrorInfo | undefined
}

interface ModelCalled extends EntryEnvelope {
  type: 'model.called'
  /** Number of the model call in the run, from 1. */
  turn: number
  model: string
  finish: FinishReason
  usage: Usage
  cost?: Cost | undefined
  durationMs: number
  /** Milliseconds from the request to the first text, reasoning or tool-call delta. Absent for an answer without deltas. */
  firstTokenMs?: number | undefined
}

/**
 * The request of a model call, in a run whose requests are kept. Messages are recorded by their positions in the
 * transcript.
 */
interface RequestKept extends EntryEnvelope, KeptRequest {
  type: 'request.kept'
}

/** A truncated answer was discarded and is requested again. It is not part of the transcript. */
interface AnswerDiscarded extends EntryEnvelope {
  type: 'answer.discarded'
  turn: number
}

/** The run has its output. A later message from the user revokes it. */
interface OutputAccepted extends EntryEnvelope {
  type: 'output.accepted'
  value: Json
}

/** An answer does not fit the agent's output schema. */
interface OutputRejected extends EntryEnvelope {
  type: 'output.rejected'
  /** Number of the rejected answer, from 1. */
  attempt: number
  issues: ValidationIssue[]
}

interface ModelFailed extends EntryEnvelope {
  type: 'model.failed'
  turn: number
  model: string
  error: ErrorInfo
  usage: Usage
  cost?: Cost | undefined
  durationMs: number
}

interface ToolStarted extends EntryEnvelope {
  type: 'tool.started'
  turn: number
  callId: string
  name: string
  /** The validated input that the handler receives, with the defaults of the tool's schema. */
  input: Json
  effect: 'read' | 'idempotent' | 'once'
  /** True if the model's arguments were malformed JSON and were repaired. Absent otherwise. */
  repaired?: true | undefined
  /** Number of the execution, from 1. It grows when a resumed run executes the call again. */
  attempt: number
}

interface ToolEnded extends EntryEnvelope {
  type: 'tool.ended'
  turn: number
  callId: string
  name: string
  /** The result for the model. */
  message: ToolMessage
  /** Why the call failed. Absent on success. */
  error?: ErrorInfo | undefined
  /** The agent that continues after the other calls of the answer have their results. */
  handoff?: { to: string; carryContext: boolean; task?: string | undefined } | undefined
  /**
   * Steps to remove from what is sent to the model. The edit is applied after the other calls of the answer have their
   * results.
   */
  contextEdit?: ContextEdit | undefined
  /** Milliseconds in the handler. 0 if it was not executed. */
  durationMs: number
}

interface ApprovalRequested extends EntryEnvelope {
  type: 'approval.requested'
  turn: number
  request: ApprovalRequest
}

interface ApprovalDecided extends EntryEnvelope {
  type: 'approval.decided'
  approvalId: string
  decision: ApprovalDecision
  by?: Principal | undefined
  /** Id of the inbox command that decided. Absent if the driver received the decision in another way. */
  commandId?: string | undefined
}

/** A tool call waits for the client to execute it. */
interface ToolRequested extends EntryEnvelope {
  type: 'tool.requested'
  turn: number
  call: ClientCall
}

/** The client submitted the result of a call, or its time has passed. The first submission counts. */
interface ToolSubmitted extends EntryEnvelope {
  type: 'tool.submitted'
  requestId: string
  /** The call, if this run made it and not a child run. */
  callId?: string | undefined
  submission: Submission
  by?: Principal | undefined
  /** Id of the inbox command that submitted the result. Absent if the process that drives the run received it. */
  commandId?: string | undefined
}

/** A tool call starts a child run. Written before the child run starts. */
interface AgentStarted extends EntryEnvelope {
  type: 'agent.started'
  callId: string
  /** Identifies the child run within the call. */
  key: string
  childRunId: string
  agent: string
}

/** A child run is suspended: it waits for an approval or for results of the client. */
interface AgentSuspended extends EntryEnvelope {
  type: 'agent.suspended'
  callId: string
  childRunId: string
  approvals: ApprovalRequest[]
  /** Calls that wait for the client. Absent: none. */
  clientCalls?: ClientCall[] | undefined
}

/** A child run has ended. */
interface AgentEnded extends EntryEnvelope {
  type: 'agent.ended'
  callId: string
  childRunId: string
  outcome: Outcome
  /** Text of the last answer. */
  text: string
  /** Structured output. Absent for a run without one. */
  output?: Json | undefined
  /** Usage of the child run. It also counts for this run. */
  usage: Usage
  cost?: Cost | undefined
  turns: number
}

/** Another agent continues the run. */
interface AgentChanged extends EntryEnvelope {
  type: 'agent.changed'
  from: string
  to: string
  /** `provider/id` of the new agent's model. */
  model: string
  /** How the new agent was configured. Absent in journals of earlier versions. */
  snapshot?: AgentSnapshot | undefined
  /** The call that handed the run over. */
  callId: string
  /** Whether the conversation so far is sent to the new agent's model. */
  carryContext: boolean
  /** Task for the new agent, as a user message. */
  task?: string | undefined
}

/** The run has no driver: it waits for an approval or for results of the client, or was released to be resumed later. */
interface RunSuspended extends EntryEnvelope {
  type: 'run.suspended'
  /** Pending requests for approval. */
  approvals: ApprovalRequest[]
  /** Calls that wait for the client. Absent: none. */
  clientCalls?: ClientCall[] | undefined
  /** `client-tools`: it waits for results of the client. `shutdown`: its driver released it. Absent if it waits only for approvals. */
  reason?: 'shutdown' | 'client-tools' | undefined
}

/**
 * From this entry on, the model receives `view` and the messages appended after it. The transcript keeps every message.
 */
interface ContextCompacted extends EntryEnvelope {
  type: 'context.compacted'
  /** Number of the next model call. */
  turn: number
  policy: string
  /**
   * `due`: the policy requested it. `overflow`: the provider rejected the request as too long; the call is made again.
   * `manual`: the user requested it; `view` may be unchanged. `edit`: a tool call requested it.
   */
  trigger: 'due' | 'overflow' | 'manual' | 'edit'
  /** The call that requested the `edit`. `policy` is then the name of its tool. */
  callId?: string | undefined
  view: ViewPart[]
  before: ContextSize
  after: ContextSize
  /** Why the policy failed. The oldest messages were dropped instead, except with the trigger `manual`. */
  error?: ErrorInfo | undefined
  /** Usage of the policy's model calls. */
  usage: Usage
  cost?: Cost | undefined
}

/** The run cannot continue for a reason outside the model, for example because a tool source does not answer. */
interface RunFailed extends EntryEnvelope {
  type: 'run.failed'
  error: ErrorInfo
  /** What failed: a hook of a middleware, a source of tools, the context policy, a handoff, or a function among the instructions. Absent: something else. */
  phase?: 'hook' | 'tool-source' | 'context' | 'handoff' | 'instructions' | undefined
}

interface CancelRequested extends EntryEnvelope {
  type: 'cancel.requested'
  reason: CancelReason
}

interface LimitReached extends EntryEnvelope {
  type: 'limit.reached'
  hit: LimitHit
}

interface RunEnded extends EntryEnvelope {
  type: 'run.ended'
  outcome: Outcome
  /** Usage of the run and its child runs. */
  usage: Usage
  cost?: Cost | undefined
  /** What the run itself used, by model: without its child runs. Absent for a run without model calls, and in journals of earlier versions. */
  models?: ModelUsage[] | undefined
}

/** A durable fact about a run: one entry of its journal. */
export type Entry =
  | RunStarted
  | RunResumed
  | InstructionsEvaluated
  | MessageAppended
  | InputQueued
  | InputDropped
  | InputFiltered
  | RequestKept
  | ModelCalled
  | AnswerDiscarded
  | OutputAccepted
  | OutputRejected
  | ModelFailed
  | ToolStarted
  | ToolEnded
  | ContextCompacted
  | ApprovalRequested
  | ApprovalDecided
  | ToolRequested
  | ToolSubmitted
  | AgentStarted
  | AgentSuspended
  | AgentEnded
  | AgentChanged
  | RunSuspended
  | RunFailed
  | CancelRequested
  | LimitReached
  | RunEnded
/** Type name of an entry. */
export type EntryType = Entry['type']
/** The entry with this type name. */
export type EntryOf<TType extends EntryType> = Extract<Entry, { type: TType }>

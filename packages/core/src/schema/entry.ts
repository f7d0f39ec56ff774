import * as z from 'zod'
import { ENTRY_VERSION } from './entry-version.ts'
import { agentSnapshotSchema } from './agent-snapshot.ts'
import { approvalDecisionSchema, approvalRequestSchema, principalSchema } from './approval.ts'
import { clientCallSchema, clientToolSchema, submissionSchema } from './client-call.ts'
import { contextEditSchema } from './context-edit.ts'
import { errorInfoSchema, validationIssueSchema } from './error-info.ts'
import { jsonSchema } from './json.ts'
import { keptRequestFields } from './kept-request.ts'
import { finishReasonSchema, messageSchema, toolMessageSchema, userMessageSchema } from './message.ts'
import { cancelReasonSchema, limitHitSchema, outcomeSchema } from './outcome.ts'
import { costSchema, modelUsageSchema, usageSchema } from './usage.ts'
import { contextSizeSchema, viewPartSchema } from './view-part.ts'

const envelope = {
  v: z.literal(ENTRY_VERSION),
  /** Position in the run's journal, from 1, without gaps. */
  seq: z.int().min(1),
  /** Milliseconds since the epoch. */
  at: z.int(),
}

/**
 * How a run began: new, or from an earlier run. A run with the relation `compaction` only compacts the session's
 * context. It calls no tools and has no answer.
 */
export const relationSchema = z.enum(['initial', 'continue', 'branch', 'rerun', 'sub-agent', 'compaction'])
/** How a run began: new, or from an earlier run. */
export type Relation = z.infer<typeof relationSchema>

const runStarted = z.object({
  ...envelope,
  type: z.literal('run.started'),
  agent: z.string(),
  /** Name of the model, as `provider/id`. */
  model: z.string(),
  /** How the agent was configured. Absent in journals of earlier versions. The run's own `settings` override its settings. */
  snapshot: agentSnapshotSchema.optional(),
  sessionId: z.string(),
  scope: z.string(),
  relation: relationSchema,
  /** The transcript that this run continues: its run, its last entry, and results of calls that replace those in it. */
  base: z
    .object({ runId: z.string(), seq: z.int().min(1), replaced: z.array(toolMessageSchema).optional() })
    .optional(),
  /** The tool call of the parent run that started this child run. */
  parent: z.object({ runId: z.string(), callId: z.string() }).optional(),
  /** The run that this run repeats. Its transcript continues `base`. */
  origin: z.string().optional(),
  /** The session that this session replaces because it was idle for too long, and its last run. */
  previousSession: z.object({ sessionId: z.string(), runId: z.string() }).optional(),
  /** Principal on whose behalf the run acts. Tools may require a role. */
  principal: principalSchema.optional(),
  /** Data for the tools, the instructions and the middleware of the run. */
  context: jsonSchema.optional(),
  /** Data of the user. The runtime does not read it. */
  metadata: z.record(z.string(), jsonSchema).optional(),
  /** Values for the templates in the agent's instructions. */
  variables: z.record(z.string(), jsonSchema).optional(),
  /** Directory in which the run's tools work. */
  workspace: z.string().optional(),
  /** Instructions after the agent's own. */
  instructions: z.string().optional(),
  /** Name of the model that the run asked for, instead of its agent's. */
  chosenModel: z.string().optional(),
  /** Model settings that replace the agent's, field by field. */
  settings: z.record(z.string(), jsonSchema).optional(),
  /** Tools that the client executes, in addition to the agent's. */
  clientTools: z.array(clientToolSchema).optional(),
  /** Present if agents that do not say whether they accept such tools accept them in this run. */
  acceptClientTools: z.literal(true).optional(),
  /** A transcript that the user supplied. It precedes the input. */
  history: z.array(messageSchema).optional(),
})

const runResumed = z.object({ ...envelope, type: z.literal('run.resumed'), worker: z.string() })

/** The agent's instructions are a function, and this is its text. A resumed run uses the same text. */
const instructionsEvaluated = z.object({
  ...envelope,
  type: z.literal('instructions.evaluated'),
  agent: z.string(),
  text: z.string(),
})

const messageAppended = z.object({
  ...envelope,
  type: z.literal('message.appended'),
  /**
   * Where the message comes from. A message of `continue` asks the model to continue a truncated answer. A message of
   * `repair` asks it to correct an answer that does not fit the schema.
   */
  source: z.enum(['input', 'steering', 'follow-up', 'note', 'continue', 'repair', 'model']),
  message: messageSchema,
  /** Id of the queued message, if `source` is `steering` or `follow-up`. */
  queueId: z.string().optional(),
})

const inputQueued = z.object({
  ...envelope,
  type: z.literal('input.queued'),
  queueId: z.string(),
  kind: z.enum(['steering', 'follow-up']),
  message: userMessageSchema,
})

/** A queued message was dropped because the queue was full and a newer message arrived. */
const inputDropped = z.object({ ...envelope, type: z.literal('input.dropped'), queueId: z.string() })

/** Verdict of an input filter on a user's message, other than `pass`. */
const inputFiltered = z.object({
  ...envelope,
  type: z.literal('input.filtered'),
  source: z.enum(['input', 'steering', 'follow-up']),
  filter: z.string(),
  verdict: z.enum(['warn', 'reject', 'replace']),
  /** The warning, or the reason. */
  detail: z.string(),
  /** Why the filter gave no verdict, if that is the reason of the rejection. */
  error: errorInfoSchema.optional(),
})

const modelCalled = z.object({
  ...envelope,
  type: z.literal('model.called'),
  /** Number of the model call in the run, from 1. */
  turn: z.int().min(1),
  model: z.string(),
  finish: finishReasonSchema,
  usage: usageSchema,
  cost: costSchema.optional(),
  durationMs: z.number(),
  /** Milliseconds from the request to the first text, reasoning or tool-call delta. Absent for an answer without deltas. */
  firstTokenMs: z.number().optional(),
})

/**
 * The request of a model call, in a run whose requests are kept. Messages are recorded by their positions in the
 * transcript.
 */
const requestKept = z.object({ ...envelope, type: z.literal('request.kept'), ...keptRequestFields })

/** A truncated answer was discarded and is requested again. It is not part of the transcript. */
const answerDiscarded = z.object({ ...envelope, type: z.literal('answer.discarded'), turn: z.int().min(1) })

/** The run has its output. A later message from the user revokes it. */
const outputAccepted = z.object({ ...envelope, type: z.literal('output.accepted'), value: jsonSchema })

/** An answer does not fit the agent's output schema. */
const outputRejected = z.object({
  ...envelope,
  type: z.literal('output.rejected'),
  /** Number of the rejected answer, from 1. */
  attempt: z.int().min(1),
  issues: z.array(validationIssueSchema),
})

const modelFailed = z.object({
  ...envelope,
  type: z.literal('model.failed'),
  turn: z.int().min(1),
  model: z.string(),
  error: errorInfoSchema,
  usage: usageSchema,
  cost: costSchema.optional(),
  durationMs: z.number(),
})

const toolStarted = z.object({
  ...envelope,
  type: z.literal('tool.started'),
  turn: z.int().min(1),
  callId: z.string(),
  name: z.string(),
  /** The validated input that the handler receives, with the defaults of the tool's schema. */
  input: jsonSchema,
  effect: z.enum(['read', 'idempotent', 'once']),
  /** True if the model's arguments were malformed JSON and were repaired. Absent otherwise. */
  repaired: z.literal(true).optional(),
  /** Number of the execution, from 1. It grows when a resumed run executes the call again. */
  attempt: z.int().min(1),
})

const toolEnded = z.object({
  ...envelope,
  type: z.literal('tool.ended'),
  turn: z.int().min(1),
  callId: z.string(),
  name: z.string(),
  /** The result for the model. */
  message: toolMessageSchema,
  /** Why the call failed. Absent on success. */
  error: errorInfoSchema.optional(),
  /** The agent that continues after the other calls of the answer have their results. */
  handoff: z.object({ to: z.string(), carryContext: z.boolean(), task: z.string().optional() }).optional(),
  /**
   * Steps to remove from what is sent to the model. The edit is applied after the other calls of the answer have their
   * results.
   */
  contextEdit: contextEditSchema.optional(),
  /** Milliseconds in the handler. 0 if it was not executed. */
  durationMs: z.number(),
})

const approvalRequested = z.object({
  ...envelope,
  type: z.literal('approval.requested'),
  turn: z.int().min(1),
  request: approvalRequestSchema,
})

const approvalDecided = z.object({
  ...envelope,
  type: z.literal('approval.decided'),
  approvalId: z.string(),
  decision: approvalDecisionSchema,
  by: principalSchema.optional(),
  /** Id of the inbox command that decided. Absent if the driver received the decision in another way. */
  commandId: z.string().optional(),
})

/** A tool call waits for the client to execute it. */
const toolRequested = z.object({
  ...envelope,
  type: z.literal('tool.requested'),
  turn: z.int().min(1),
  call: clientCallSchema,
})

/** The client submitted the result of a call, or its time has passed. The first submission counts. */
const toolSubmitted = z.object({
  ...envelope,
  type: z.literal('tool.submitted'),
  requestId: z.string(),
  /** The call, if this run made it and not a child run. */
  callId: z.string().optional(),
  submission: submissionSchema,
  by: principalSchema.optional(),
  /** Id of the inbox command that submitted the result. Absent if the process that drives the run received it. */
  commandId: z.string().optional(),
})

/** A tool call starts a child run. Written before the child run starts. */
const agentStarted = z.object({
  ...envelope,
  type: z.literal('agent.started'),
  callId: z.string(),
  /** Identifies the child run within the call. */
  key: z.string(),
  childRunId: z.string(),
  agent: z.string(),
})

/** A child run is suspended: it waits for an approval or for results of the client. */
const agentSuspended = z.object({
  ...envelope,
  type: z.literal('agent.suspended'),
  callId: z.string(),
  childRunId: z.string(),
  approvals: z.array(approvalRequestSchema),
  /** Calls that wait for the client. Absent: none. */
  clientCalls: z.array(clientCallSchema).optional(),
})

/** A child run has ended. */
const agentEnded = z.object({
  ...envelope,
  type: z.literal('agent.ended'),
  callId: z.string(),
  childRunId: z.string(),
  outcome: outcomeSchema,
  /** Text of the last answer. */
  text: z.string(),
  /** Structured output. Absent for a run without one. */
  output: jsonSchema.optional(),
  /** Usage of the child run. It also counts for this run. */
  usage: usageSchema,
  cost: costSchema.optional(),
  turns: z.int().min(0),
})

/** Another agent continues the run. */
const agentChanged = z.object({
  ...envelope,
  type: z.literal('agent.changed'),
  from: z.string(),
  to: z.string(),
  /** `provider/id` of the new agent's model. */
  model: z.string(),
  /** How the new agent was configured. Absent in journals of earlier versions. */
  snapshot: agentSnapshotSchema.optional(),
  /** The call that handed the run over. */
  callId: z.string(),
  /** Whether the conversation so far is sent to the new agent's model. */
  carryContext: z.boolean(),
  /** Task for the new agent, as a user message. */
  task: z.string().optional(),
})

/** The run has no driver: it waits for an approval or for results of the client, or was released to be resumed later. */
const runSuspended = z.object({
  ...envelope,
  type: z.literal('run.suspended'),
  /** Pending requests for approval. */
  approvals: z.array(approvalRequestSchema),
  /** Calls that wait for the client. Absent: none. */
  clientCalls: z.array(clientCallSchema).optional(),
  /** `client-tools`: it waits for results of the client. `shutdown`: its driver released it. Absent if it waits only for approvals. */
  reason: z.enum(['shutdown', 'client-tools']).optional(),
})

/**
 * From this entry on, the model receives `view` and the messages appended after it. The transcript keeps every message.
 */
const contextCompacted = z.object({
  ...envelope,
  type: z.literal('context.compacted'),
  /** Number of the next model call. */
  turn: z.int().min(1),
  policy: z.string(),
  /**
   * `due`: the policy requested it. `overflow`: the provider rejected the request as too long; the call is made again.
   * `manual`: the user requested it; `view` may be unchanged. `edit`: a tool call requested it.
   */
  trigger: z.enum(['due', 'overflow', 'manual', 'edit']),
  /** The call that requested the `edit`. `policy` is then the name of its tool. */
  callId: z.string().optional(),
  view: z.array(viewPartSchema),
  before: contextSizeSchema,
  after: contextSizeSchema,
  /** Why the policy failed. The oldest messages were dropped instead, except with the trigger `manual`. */
  error: errorInfoSchema.optional(),
  /** Usage of the policy's model calls. */
  usage: usageSchema,
  cost: costSchema.optional(),
})

/** The run cannot continue for a reason outside the model, for example because a tool source does not answer. */
const runFailed = z.object({
  ...envelope,
  type: z.literal('run.failed'),
  error: errorInfoSchema,
  /** What failed: a hook of a middleware, a source of tools, the context policy, a handoff, or a function among the instructions. Absent: something else. */
  phase: z.enum(['hook', 'tool-source', 'context', 'handoff', 'instructions']).optional(),
})

const cancelRequested = z.object({ ...envelope, type: z.literal('cancel.requested'), reason: cancelReasonSchema })

const limitReached = z.object({ ...envelope, type: z.literal('limit.reached'), hit: limitHitSchema })

const runEnded = z.object({
  ...envelope,
  type: z.literal('run.ended'),
  outcome: outcomeSchema,
  /** Usage of the run and its child runs. */
  usage: usageSchema,
  cost: costSchema.optional(),
  /** What the run itself used, by model: without its child runs. Absent for a run without model calls, and in journals of earlier versions. */
  models: z.array(modelUsageSchema).optional(),
})

/** A durable fact about a run. The state of a run is computed from its entries. */
export const entrySchema = z.discriminatedUnion('type', [
  runStarted,
  runResumed,
  instructionsEvaluated,
  messageAppended,
  inputQueued,
  inputDropped,
  inputFiltered,
  requestKept,
  modelCalled,
  answerDiscarded,
  outputAccepted,
  outputRejected,
  modelFailed,
  toolStarted,
  toolEnded,
  contextCompacted,
  approvalRequested,
  approvalDecided,
  toolRequested,
  toolSubmitted,
  agentStarted,
  agentSuspended,
  agentEnded,
  agentChanged,
  runSuspended,
  runFailed,
  cancelRequested,
  limitReached,
  runEnded,
])
/** A durable fact about a run: one entry of its journal. */
export type Entry = z.infer<typeof entrySchema>
/** Type name of an entry. */
export type EntryType = Entry['type']
/** The entry with this type name. */
export type EntryOf<TType extends EntryType> = Extract<Entry, { type: TType }>

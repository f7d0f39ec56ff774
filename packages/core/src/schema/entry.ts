import * as z from 'zod'
import { ENTRY_VERSION } from './entry-version.ts'
import { approvalDecisionSchema, approvalRequestSchema, principalSchema } from './approval.ts'
import { contextEditSchema } from './context-edit.ts'
import { errorInfoSchema, validationIssueSchema } from './error-info.ts'
import { jsonSchema } from './json.ts'
import { finishReasonSchema, messageSchema, toolMessageSchema, userMessageSchema } from './message.ts'
import { cancelReasonSchema, limitHitSchema, outcomeSchema } from './outcome.ts'
import { costSchema, usageSchema } from './usage.ts'
import { viewPartSchema } from './view-part.ts'

const envelope = {
  v: z.literal(ENTRY_VERSION),
  /** Position in the run's journal, from 1, without gaps. */
  seq: z.int().min(1),
  /** Milliseconds since the epoch. */
  at: z.int(),
}

/** How a run came to be. A `compaction` says nothing: it is a session's way to have less of it sent. */
export const relationSchema = z.enum(['initial', 'continue', 'branch', 'rerun', 'sub-agent', 'compaction'])
export type Relation = z.infer<typeof relationSchema>

const runStarted = z.object({
  ...envelope,
  type: z.literal('run.started'),
  agent: z.string(),
  /** `provider/id`. */
  model: z.string(),
  sessionId: z.string(),
  scope: z.string(),
  relation: relationSchema,
  /** The run, and how much of its journal, whose transcript this one goes on from. */
  base: z.object({ runId: z.string(), seq: z.int().min(1) }).optional(),
  /** The call of another run it works for. */
  parent: z.object({ runId: z.string(), callId: z.string() }).optional(),
  /** The run this one repeats, which is not the one its transcript goes on from. */
  origin: z.string().optional(),
  /** The session this one took the place of, and its last run: it had lain idle for too long. */
  previousSession: z.object({ sessionId: z.string(), runId: z.string() }).optional(),
  /** On whose behalf it runs; tools may demand a role. */
  principal: principalSchema.optional(),
  /** What the caller wants to find again with the run; the runtime does not read it. */
  metadata: z.record(z.string(), jsonSchema).optional(),
  /** Values for the templates among the agent's instructions. */
  variables: z.record(z.string(), jsonSchema).optional(),
  /** The directory its tools work in. */
  workspace: z.string().optional(),
  /** What the model is told after the agent's own instructions. */
  instructions: z.string().optional(),
  /** Model settings over those of the agent. */
  settings: z.record(z.string(), jsonSchema).optional(),
  /** A transcript the caller brought along; it precedes the input. */
  history: z.array(messageSchema).optional(),
})

const runResumed = z.object({ ...envelope, type: z.literal('run.resumed'), worker: z.string() })

const messageAppended = z.object({
  ...envelope,
  type: z.literal('message.appended'),
  /** `continue` asks the model to go on with an answer that was cut off, `repair` to mend one that fits no schema. */
  source: z.enum(['input', 'steering', 'follow-up', 'note', 'continue', 'repair', 'model']),
  message: messageSchema,
  /** The queued input this message was, when `source` is `steering` or `follow-up`. */
  queueId: z.string().optional(),
})

const inputQueued = z.object({
  ...envelope,
  type: z.literal('input.queued'),
  queueId: z.string(),
  kind: z.enum(['steering', 'follow-up']),
  message: userMessageSchema,
})

/** A queued message that had to make room for a newer one. */
const inputDropped = z.object({ ...envelope, type: z.literal('input.dropped'), queueId: z.string() })

/** What a filter said about a person's message, other than that it may pass. */
const inputFiltered = z.object({
  ...envelope,
  type: z.literal('input.filtered'),
  source: z.enum(['input', 'steering', 'follow-up']),
  filter: z.string(),
  verdict: z.enum(['warn', 'reject', 'replace']),
  /** The warning or the reason. */
  detail: z.string(),
})

const modelCalled = z.object({
  ...envelope,
  type: z.literal('model.called'),
  /** Model calls of this run so far, this one included. */
  turn: z.int().min(1),
  model: z.string(),
  finish: finishReasonSchema,
  usage: usageSchema,
  cost: costSchema.optional(),
  durationMs: z.number(),
  /** From the request to the first text, reasoning or tool-call delta; absent when there was none. */
  firstTokenMs: z.number().optional(),
})

/** What a model was about to be sent, of a run whose requests are kept: the messages by their places in the log. */
const requestKept = z.object({
  ...envelope,
  type: z.literal('request.kept'),
  /** Of the model call it is for. */
  turn: z.int().min(1),
  model: z.string(),
  system: z.array(z.object({ text: z.string(), volatile: z.boolean().optional() })),
  view: z.array(viewPartSchema),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      inputSchema: z.record(z.string(), jsonSchema),
      strict: z.boolean().optional(),
    }),
  ),
  toolChoice: z.union([z.enum(['auto', 'none', 'required']), z.object({ name: z.string() })]).optional(),
  settings: z.record(z.string(), jsonSchema),
})

/** An answer that was cut off and is asked for again: it joins no transcript. */
const answerDiscarded = z.object({ ...envelope, type: z.literal('answer.discarded'), turn: z.int().min(1) })

/** The run has what it was for. Another message from a person takes it back. */
const outputAccepted = z.object({ ...envelope, type: z.literal('output.accepted'), value: jsonSchema })

/** The model's answer does not fit the agent's output schema. */
const outputRejected = z.object({
  ...envelope,
  type: z.literal('output.rejected'),
  /** 1 for the first answer that did not fit. */
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
  /** The validated input, as the handler receives it after the tool's own schema defaults. */
  input: jsonSchema,
  effect: z.enum(['read', 'idempotent', 'once']),
  /** Present when the arguments the model wrote were no valid JSON and were repaired. */
  repaired: z.literal(true).optional(),
  /** 1, and one more for each time a resumed run starts the call again. */
  attempt: z.int().min(1),
})

const toolEnded = z.object({
  ...envelope,
  type: z.literal('tool.ended'),
  turn: z.int().min(1),
  callId: z.string(),
  name: z.string(),
  /** What the model is told. */
  message: toolMessageSchema,
  /** Why the call has no proper result; absent on success. */
  error: errorInfoSchema.optional(),
  /** The agent that goes on once the other calls of the answer have their results. */
  handoff: z.object({ to: z.string(), carryContext: z.boolean(), task: z.string().optional() }).optional(),
  /** What of the conversation is not to be sent any more, once the other calls of the answer have their results. */
  contextEdit: contextEditSchema.optional(),
  /** Time in the handler; 0 when it never ran. */
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
})

/** A call lets another agent work, in a run of its own. Written before that run begins. */
const agentStarted = z.object({
  ...envelope,
  type: z.literal('agent.started'),
  callId: z.string(),
  /** Which of the call's sub-agents it is. */
  key: z.string(),
  childRunId: z.string(),
  agent: z.string(),
})

/** The sub-agent's run waits for a person. */
const agentSuspended = z.object({
  ...envelope,
  type: z.literal('agent.suspended'),
  callId: z.string(),
  childRunId: z.string(),
  approvals: z.array(approvalRequestSchema),
})

const agentEnded = z.object({
  ...envelope,
  type: z.literal('agent.ended'),
  callId: z.string(),
  childRunId: z.string(),
  outcome: outcomeSchema,
  /** Of its last answer. */
  text: z.string(),
  /** What it ended with, when that is data. */
  output: jsonSchema.optional(),
  /** Counts on this run, too. */
  usage: usageSchema,
  cost: costSchema.optional(),
  turns: z.int().min(0),
})

/** Another agent goes on with the run. */
const agentChanged = z.object({
  ...envelope,
  type: z.literal('agent.changed'),
  from: z.string(),
  to: z.string(),
  /** `provider/id` of the one that goes on. */
  model: z.string(),
  /** The call that handed over. */
  callId: z.string(),
  /** Whether its model is sent what was said before. */
  carryContext: z.boolean(),
  /** Joins the transcript as a user message. */
  task: z.string().optional(),
})

/** No process holds the run: it waits for a person, or was let go to be resumed later. */
const runSuspended = z.object({
  ...envelope,
  type: z.literal('run.suspended'),
  /** What a person has to decide; empty for a run that was let go. */
  approvals: z.array(approvalRequestSchema),
  /** Why it was let go; absent for one that waits for a person. */
  reason: z.literal('shutdown').optional(),
})

const contextSize = z.object({
  messages: z.int().min(0),
  /** Of the whole call, estimated; absent when nobody had to count. */
  tokens: z.int().min(0).optional(),
})

/** From here on the model is sent `view`, and what is appended after it; the log keeps everything. */
const contextCompacted = z.object({
  ...envelope,
  type: z.literal('context.compacted'),
  /** Of the model call it was made for. */
  turn: z.int().min(1),
  policy: z.string(),
  /**
   * `due`: the policy asked for it. `overflow`: the provider refused the call as too long, which is now made again.
   * `manual`: somebody asked for it, and `view` may be what was sent before. `edit`: a tool call asked for it.
   */
  trigger: z.enum(['due', 'overflow', 'manual', 'edit']),
  /** The call that asked for an `edit`; `policy` is its tool then. */
  callId: z.string().optional(),
  view: z.array(viewPartSchema),
  before: contextSize,
  after: contextSize,
  /** Why the policy's own way failed: the oldest messages were dropped instead, or none when it was asked for. */
  error: errorInfoSchema.optional(),
  /** Of the model calls the policy made. */
  usage: usageSchema,
  cost: costSchema.optional(),
})

/** The run cannot go on for a cause outside the model: a tool source that does not answer, say. */
const runFailed = z.object({ ...envelope, type: z.literal('run.failed'), error: errorInfoSchema })

const cancelRequested = z.object({ ...envelope, type: z.literal('cancel.requested'), reason: cancelReasonSchema })

const limitReached = z.object({ ...envelope, type: z.literal('limit.reached'), hit: limitHitSchema })

const runEnded = z.object({
  ...envelope,
  type: z.literal('run.ended'),
  outcome: outcomeSchema,
  usage: usageSchema,
  cost: costSchema.optional(),
})

/** A durable fact about a run. A run is the fold of its entries. */
export const entrySchema = z.discriminatedUnion('type', [
  runStarted,
  runResumed,
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
export type Entry = z.infer<typeof entrySchema>
export type EntryType = Entry['type']
export type EntryOf<TType extends EntryType> = Extract<Entry, { type: TType }>

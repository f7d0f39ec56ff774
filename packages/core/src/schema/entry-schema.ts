import * as z from 'zod'
import { ENTRY_VERSION } from './entry-version.ts'
import { agentSnapshotSchema } from './agent-snapshot.ts'
import { approvalDecisionSchema, approvalRequestSchema, principalSchema } from './approval.ts'
import { clientCallSchema, clientToolSchema, submissionSchema } from './client-call.ts'
import { contextEditSchema } from './context-edit.ts'
import { errorInfoSchema, validationIssueSchema } from './error-info-schema.ts'
import { jsonSchema } from './json.ts'
import { keptRequestFields } from './kept-request.ts'
import { finishReasonSchema, messageSchema, toolMessageSchema, userMessageSchema } from './message.ts'
import { cancelReasonSchema, limitHitSchema, outcomeSchema } from './outcome.ts'
import { costSchema, modelUsageSchema, usageSchema } from './usage.ts'
import { contextSizeSchema, viewPartSchema } from './view-part.ts'

const envelope = {
  v: z.literal(ENTRY_VERSION),
  seq: z.int().min(1),
  at: z.int(),
}

/** How a run began. */
export const relationSchema = z.enum(['initial', 'continue', 'branch', 'rerun', 'sub-agent', 'compaction'])

const runStarted = z.object({
  ...envelope,
  type: z.literal('run.started'),
  agent: z.string(),
  model: z.string(),
  snapshot: agentSnapshotSchema.optional(),
  sessionId: z.string(),
  scope: z.string(),
  relation: relationSchema,
  base: z
    .object({ runId: z.string(), seq: z.int().min(1), replaced: z.array(toolMessageSchema).optional() })
    .optional(),
  parent: z.object({ runId: z.string(), callId: z.string() }).optional(),
  origin: z.string().optional(),
  previousSession: z.object({ sessionId: z.string(), runId: z.string() }).optional(),
  principal: principalSchema.optional(),
  context: jsonSchema.optional(),
  metadata: z.record(z.string(), jsonSchema).optional(),
  variables: z.record(z.string(), jsonSchema).optional(),
  workspace: z.string().optional(),
  instructions: z.string().optional(),
  chosenModel: z.string().optional(),
  settings: z.record(z.string(), jsonSchema).optional(),
  clientTools: z.array(clientToolSchema).optional(),
  acceptClientTools: z.literal(true).optional(),
  history: z.array(messageSchema).optional(),
})

const runResumed = z.object({ ...envelope, type: z.literal('run.resumed'), worker: z.string() })

const instructionsEvaluated = z.object({
  ...envelope,
  type: z.literal('instructions.evaluated'),
  agent: z.string(),
  text: z.string(),
})

const messageAppended = z.object({
  ...envelope,
  type: z.literal('message.appended'),
  source: z.enum(['input', 'steering', 'follow-up', 'note', 'continue', 'repair', 'model']),
  message: messageSchema,
  queueId: z.string().optional(),
})

const inputQueued = z.object({
  ...envelope,
  type: z.literal('input.queued'),
  queueId: z.string(),
  kind: z.enum(['steering', 'follow-up']),
  message: userMessageSchema,
})

const inputDropped = z.object({ ...envelope, type: z.literal('input.dropped'), queueId: z.string() })

const inputFiltered = z.object({
  ...envelope,
  type: z.literal('input.filtered'),
  source: z.enum(['input', 'steering', 'follow-up']),
  filter: z.string(),
  verdict: z.enum(['warn', 'reject', 'replace']),
  detail: z.string(),
  error: errorInfoSchema.optional(),
})

const modelCalled = z.object({
  ...envelope,
  type: z.literal('model.called'),
  turn: z.int().min(1),
  model: z.string(),
  finish: finishReasonSchema,
  usage: usageSchema,
  cost: costSchema.optional(),
  durationMs: z.number(),
  firstTokenMs: z.number().optional(),
})

const requestKept = z.object({ ...envelope, type: z.literal('request.kept'), ...keptRequestFields })

const answerDiscarded = z.object({ ...envelope, type: z.literal('answer.discarded'), turn: z.int().min(1) })

const outputAccepted = z.object({ ...envelope, type: z.literal('output.accepted'), value: jsonSchema })

const outputRejected = z.object({
  ...envelope,
  type: z.literal('output.rejected'),
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
  input: jsonSchema,
  effect: z.enum(['read', 'idempotent', 'once']),
  repaired: z.literal(true).optional(),
  attempt: z.int().min(1),
})

const toolEnded = z.object({
  ...envelope,
  type: z.literal('tool.ended'),
  turn: z.int().min(1),
  callId: z.string(),
  name: z.string(),
  message: toolMessageSchema,
  error: errorInfoSchema.optional(),
  handoff: z.object({ to: z.string(), carryContext: z.boolean(), task: z.string().optional() }).optional(),
  contextEdit: contextEditSchema.optional(),
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
  commandId: z.string().optional(),
})

const toolRequested = z.object({
  ...envelope,
  type: z.literal('tool.requested'),
  turn: z.int().min(1),
  call: clientCallSchema,
})

const toolSubmitted = z.object({
  ...envelope,
  type: z.literal('tool.submitted'),
  requestId: z.string(),
  callId: z.string().optional(),
  submission: submissionSchema,
  by: principalSchema.optional(),
  commandId: z.string().optional(),
})

const agentStarted = z.object({
  ...envelope,
  type: z.literal('agent.started'),
  callId: z.string(),
  key: z.string(),
  childRunId: z.string(),
  agent: z.string(),
})

const agentSuspended = z.object({
  ...envelope,
  type: z.literal('agent.suspended'),
  callId: z.string(),
  childRunId: z.string(),
  approvals: z.array(approvalRequestSchema),
  clientCalls: z.array(clientCallSchema).optional(),
})

const agentEnded = z.object({
  ...envelope,
  type: z.literal('agent.ended'),
  callId: z.string(),
  childRunId: z.string(),
  outcome: outcomeSchema,
  text: z.string(),
  output: jsonSchema.optional(),
  usage: usageSchema,
  cost: costSchema.optional(),
  turns: z.int().min(0),
})

const agentChanged = z.object({
  ...envelope,
  type: z.literal('agent.changed'),
  from: z.string(),
  to: z.string(),
  model: z.string(),
  snapshot: agentSnapshotSchema.optional(),
  callId: z.string(),
  carryContext: z.boolean(),
  task: z.string().optional(),
})

const runSuspended = z.object({
  ...envelope,
  type: z.literal('run.suspended'),
  approvals: z.array(approvalRequestSchema),
  clientCalls: z.array(clientCallSchema).optional(),
  reason: z.enum(['shutdown', 'client-tools']).optional(),
})

const contextCompacted = z.object({
  ...envelope,
  type: z.literal('context.compacted'),
  turn: z.int().min(1),
  policy: z.string(),
  trigger: z.enum(['due', 'overflow', 'manual', 'edit']),
  callId: z.string().optional(),
  view: z.array(viewPartSchema),
  before: contextSizeSchema,
  after: contextSizeSchema,
  error: errorInfoSchema.optional(),
  usage: usageSchema,
  cost: costSchema.optional(),
})

const runFailed = z.object({
  ...envelope,
  type: z.literal('run.failed'),
  error: errorInfoSchema,
  phase: z.enum(['hook', 'tool-source', 'context', 'handoff', 'instructions']).optional(),
})

const cancelRequested = z.object({ ...envelope, type: z.literal('cancel.requested'), reason: cancelReasonSchema })

const limitReached = z.object({ ...envelope, type: z.literal('limit.reached'), hit: limitHitSchema })

const runEnded = z.object({
  ...envelope,
  type: z.literal('run.ended'),
  outcome: outcomeSchema,
  usage: usageSchema,
  cost: costSchema.optional(),
  models: z.array(modelUsageSchema).optional(),
})

/** Schema of `Entry`, which documents the fields. */
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

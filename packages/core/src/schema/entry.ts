import * as z from 'zod'
import { ENTRY_VERSION } from '../entry-version.ts'
import { approvalDecisionSchema, approvalRequestSchema, principalSchema } from './approval.ts'
import { errorInfoSchema } from './error-info.ts'
import { jsonSchema } from './json.ts'
import { finishReasonSchema, messageSchema, toolMessageSchema, userMessageSchema } from './message.ts'
import { cancelReasonSchema, limitHitSchema, outcomeSchema } from './outcome.ts'
import { costSchema, usageSchema } from './usage.ts'

const envelope = {
  v: z.literal(ENTRY_VERSION),
  /** Position in the run's journal, from 1, without gaps. */
  seq: z.int().min(1),
  /** Milliseconds since the epoch. */
  at: z.int(),
}

/** How a run came to be. */
export const relationSchema = z.enum(['initial', 'continue', 'branch', 'rerun'])
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
  /** The run this one repeats, which is not the one its transcript goes on from. */
  origin: z.string().optional(),
  /** On whose behalf it runs; tools may demand a role. */
  principal: principalSchema.optional(),
  /** What the caller wants to find again with the run; the runtime does not read it. */
  metadata: z.record(z.string(), jsonSchema).optional(),
  /** A transcript the caller brought along; it precedes the input. */
  history: z.array(messageSchema).optional(),
})

const runResumed = z.object({ ...envelope, type: z.literal('run.resumed'), worker: z.string() })

const messageAppended = z.object({
  ...envelope,
  type: z.literal('message.appended'),
  source: z.enum(['input', 'steering', 'follow-up', 'note', 'model']),
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

/** No process holds the run: it waits for a person, or was let go to be resumed later. */
const runSuspended = z.object({
  ...envelope,
  type: z.literal('run.suspended'),
  /** What a person has to decide; empty for a run that was let go. */
  approvals: z.array(approvalRequestSchema),
  /** Why it was let go; absent for one that waits for a person. */
  reason: z.literal('shutdown').optional(),
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
  modelCalled,
  modelFailed,
  toolStarted,
  toolEnded,
  approvalRequested,
  approvalDecided,
  runSuspended,
  runFailed,
  cancelRequested,
  limitReached,
  runEnded,
])
export type Entry = z.infer<typeof entrySchema>
export type EntryType = Entry['type']
export type EntryOf<TType extends EntryType> = Extract<Entry, { type: TType }>
